// Memory for the few arrays that hold a value a job: backed by huge pages where the kernel offers
// them on request, which spares a page fault for every 4 KiB of a million jobs.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace berth {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  HugePageAllocator() = default;
  template <class U>
  // Implicit, as the standard asks of an allocator that is rebound.
  HugePageAllocator(const HugePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    void* memory = nullptr;
    if (bytes < kSmall) {
      memory = std::malloc(bytes);
    } else if ((memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage)) !=
               nullptr) {
      ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; without it all is as before
    }
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const HugePageAllocator&) const { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr std::size_t kSmall = 2 * kPage;
};

// A vector with a value for each job or task.
template <class T>
using JobVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace berth
