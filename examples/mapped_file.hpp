#pragma once
// A file's bytes as memory, of any length: pages are read as they are touched, and need not fit in memory all at once.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

class mapped_file {
 public:
  /// Throws std::runtime_error with one sentence where `path` is missing, unreadable, no regular file, or empty.
  explicit mapped_file(std::string const& path) {
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe must not wait for its writer
    if (descriptor_ < 0) refuse(path, std::strerror(errno));
    try {
      map(path);
    } catch (...) {
      close(descriptor_);
      throw;
    }
  }
  ~mapped_file() {
    munmap(data_, size_);
    close(descriptor_);
  }
  mapped_file(mapped_file const&) = delete;
  mapped_file& operator=(mapped_file const&) = delete;

  [[nodiscard]] void const* data() const { return data_; }  ///< aligned to a page
  [[nodiscard]] std::size_t size() const { return size_; }  ///< bytes, never 0

  /// Reads every page, so that the first reduction is not charged for the disk.
  void read_ahead() const {
    constexpr std::size_t page = 4096;
    unsigned seen = 0;
    for (std::size_t i = 0; i < size_; i += page) seen += static_cast<unsigned char const volatile*>(data_)[i];
    static_cast<void>(seen);
  }

 private:
  [[noreturn]] static void refuse(std::string const& path, char const* why) {
    throw std::runtime_error("cannot read '" + path + "': " + why);
  }

  void map(std::string const& path) {
    struct stat facts {};
    if (fstat(descriptor_, &facts) != 0) refuse(path, std::strerror(errno));
    if (S_ISDIR(facts.st_mode)) refuse(path, "it is a directory");
    if (!S_ISREG(facts.st_mode)) refuse(path, "it is no regular file");
    if (facts.st_size == 0) refuse(path, "it is empty, and nothing has no minimum and no bits to compare");
    size_ = static_cast<std::size_t>(facts.st_size);
    data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (data_ == MAP_FAILED) refuse(path, std::strerror(errno));
    madvise(data_, size_, MADV_SEQUENTIAL);
  }

  int descriptor_ = -1;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};
