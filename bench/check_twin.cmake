# cmake -DBARE_LOOP=.. -DPYTHON=.. -DTWIN=.. -DTRACE=.. -P check_twin.cmake
foreach(nodes 286 32)
  execute_process(COMMAND ${BARE_LOOP} ${TRACE} ${nodes} 8 OUTPUT_VARIABLE bare
    ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${PYTHON} ${TWIN} ${TRACE} ${nodes} 8 OUTPUT_VARIABLE twin
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT bare STREQUAL twin)
    message(FATAL_ERROR "on ${nodes} nodes bare_loop says\n${bare}and its twin\n${twin}")
  endif()
endforeach()
