# cmake -DMAKE_TRACE=.. -DOUT=.. -DCOMMITTED=.. -P check_sample.cmake
execute_process(COMMAND ${MAKE_TRACE} --profile sample --out ${OUT} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUT} ${COMMITTED} RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "${COMMITTED} is not what make_trace --profile sample writes")
endif()
