#include "workloads/reading/philly_log.hpp"

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/config/wording.hpp"

namespace berth {
namespace {

using Json = nlohmann::json;

// The file's bytes one by one, with the line and column of the last one taken.
class Bytes {
 public:
  explicit Bytes(TraceFile& file) : file_(file) { refill(); }

  bool at_end() const { return next_ == size_; }
  char peek() const { return buffer_[next_]; }
  void advance() {
    if (buffer_[next_] == '\n') {
      ++line_;
      column_ = 0;
    } else {
      ++column_;
    }
    ++taken_;
    if (++next_ == size_) refill();
  }
  // Of the byte `back` before the last one taken, on its line.
  Location where(std::size_t back = 0) const {
    const auto behind = static_cast<std::int64_t>(back);
    return {file_.name(), line_, column_ > behind ? column_ - behind : 1};
  }
  std::uint64_t taken() const { return taken_; }

 private:
  static constexpr std::size_t kPiece = std::size_t{256} << 10;

  void refill() {
    next_ = 0;
    size_ = ended_ ? 0 : file_.read(buffer_.get(), kPiece);
    ended_ = size_ < kPiece;
  }

  TraceFile& file_;
  std::unique_ptr<char[]> buffer_ = std::make_unique<char[]>(kPiece);
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  bool ended_ = false;
  std::int64_t line_ = 1;
  std::int64_t column_ = 0;
  std::uint64_t taken_ = 0;
};

// What nlohmann reads from; copies share the bytes.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;
  explicit ByteIterator(Bytes* bytes) : bytes_(bytes) {}
  char operator*() const { return bytes_->peek(); }
  ByteIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  ByteIterator operator++(int) {
    ByteIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const ByteIterator& other) const { return ended() == other.ended(); }

 private:
  bool ended() const { return bytes_ == nullptr || bytes_->at_end(); }
  Bytes* bytes_ = nullptr;  // null: the end
};

// The events of the parser become jobs.
class Handler final : public nlohmann::json_sax<Json> {
 public:
  Handler(Bytes& bytes, const std::function<void(PhillyLog::Job&, std::uint64_t)>& take)
      : bytes_(bytes), take_(take) {}

  bool null() override { return other_value("null", true); }
  bool boolean(bool) override { return other_value("a boolean"); }
  bool number_integer(std::int64_t) override { return other_value("a number"); }
  bool number_unsigned(std::uint64_t) override { return other_value("a number"); }
  bool number_float(double, const std::string&) override { return other_value("a number"); }
  bool binary(Json::binary_t&) override { return other_value("binary data"); }

  bool string(std::string& value) override {
    if (in_ == In::kGpus && skipped_ == 0) {
      ++job_.attempts.back().machines.back().gpus;
      return true;
    }
    if (skipped_ != 0) return true;
    if (text_ == nullptr) return unexpected("a text");
    text_->where = bytes_.where(value.size() + 1);
    text_->value = std::move(value);
    text_ = nullptr;
    return true;
  }

  bool key(std::string& key) override {
    text_ = nullptr;
    next_ = In::kNothing;
    key_ = key;
    if (skipped_ != 0) return true;
    if (in_ == In::kJob) {
      text_ = key == "jobid"            ? &job_.id
              : key == "user"           ? &job_.user
              : key == "vc"             ? &job_.vc
              : key == "status"         ? &job_.status
              : key == "submitted_time" ? &job_.submitted
                                        : nullptr;
      if (key == "attempts") next_ = In::kAttempts;
    } else if (in_ == In::kAttempt) {
      PhillyLog::Attempt& attempt = job_.attempts.back();
      text_ = key == "start_time" ? &attempt.start : key == "end_time" ? &attempt.end : nullptr;
      if (key == "detail") next_ = In::kDetail;
    } else if (in_ == In::kMachine) {
      if (key == "ip") text_ = &ip_;
      if (key == "gpus") next_ = In::kGpus;
    }
    known_ = text_ != nullptr || next_ != In::kNothing;
    return true;
  }

  bool start_object(std::size_t) override {
    if (skipped_ != 0) return skip();
    switch (in_) {
      case In::kList:
        job_ = {};
        job_.where = bytes_.where();
        for (PhillyLog::Text* text :
             {&job_.id, &job_.user, &job_.vc, &job_.status, &job_.submitted}) {
          text->where = job_.where;
        }
        return enter(In::kJob);
      case In::kAttempts:
        job_.attempts.emplace_back();
        job_.attempts.back().start.where = job_.attempts.back().end.where = bytes_.where();
        return enter(In::kAttempt);
      case In::kDetail:
        job_.attempts.back().machines.emplace_back();
        ip_ = {};
        return enter(In::kMachine);
      default:
        return unexpected("an object") && skip();
    }
  }
  bool end_object() override {
    if (skipped_ != 0) return unskip();
    if (in_ == In::kJob) {
      take_(job_, bytes_.taken());
    } else if (in_ == In::kMachine) {
      job_.attempts.back().machines.back().ip = ip_.value;
    }
    return leave();
  }
  bool start_array(std::size_t) override {
    if (skipped_ != 0) return skip();
    if (in_ == In::kNothing) return enter(In::kList);
    if (next_ != In::kNothing) return enter(std::exchange(next_, In::kNothing));
    return unexpected("a list") && skip();
  }
  bool end_array() override { return skipped_ != 0 ? unskip() : leave(); }

  bool parse_error(std::size_t, const std::string& token, const Json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string what = error.what();
    const std::size_t colon = what.find(": ");
    if (colon != std::string::npos) what = what.substr(colon + 2);
    if (const std::size_t last = what.find("; last read"); last != std::string::npos) {
      what = what.substr(0, last);
    }
    throw DataError(bytes_.where(), "no JSON: " + printable(what, 120) +
                                        (token.empty() ? "" : ", at " + in_quotes(token)));
  }

 private:
  // What the parser stands in; kNothing is the top.
  enum class In : std::uint8_t {
    kNothing,
    kList,
    kJob,
    kAttempts,
    kAttempt,
    kDetail,
    kMachine,
    kGpus
  };

  bool enter(In in) {
    outer_.push_back(in_);
    in_ = in;
    return true;
  }
  bool leave() {
    in_ = outer_.back();
    outer_.pop_back();
    return true;
  }
  bool skip() {
    ++skipped_;
    return true;
  }
  bool unskip() {
    --skipped_;
    return true;
  }

  bool other_value(const char* what, bool is_null = false) {
    if (skipped_ != 0) return true;
    const bool fine = is_null && (text_ != nullptr || next_ != In::kNothing);
    text_ = nullptr;
    next_ = In::kNothing;
    return fine || unexpected(what);
  }

  // Of the wrong kind for where it stands.
  bool unexpected(const char* found) {
    const char* expected = nullptr;
    switch (in_) {
      case In::kNothing:
        throw DataError(bytes_.where(),
                        std::string("the log is ") + found + ", expected a list of jobs");
      case In::kList:
        throw DataError(bytes_.where(),
                        std::string(found) + " in the list, expected a job: an object");
      case In::kAttempts:
        expected = "attempts: an object each";
        break;
      case In::kDetail:
        expected = "machines: an object each";
        break;
      case In::kGpus:
        expected = "names of GPUs";
        break;
      default:
        if (!known_) return true;  // a key that nobody reads
        expected = key_ == "attempts" || key_ == "detail" || key_ == "gpus" ? "a list" : "a text";
    }
    if (job_.fault.empty()) {
      job_.fault_where = bytes_.where();
      job_.fault = printable(key_, 40) + " holds " + found + ", expected " + expected;
    }
    text_ = nullptr;
    next_ = In::kNothing;
    return true;
  }

  Bytes& bytes_;
  const std::function<void(PhillyLog::Job&, std::uint64_t)>& take_;
  PhillyLog::Job job_;
  PhillyLog::Text ip_;
  std::string key_;
  bool known_ = false;               // key_ is one of ours
  PhillyLog::Text* text_ = nullptr;  // where the next text goes
  In next_ = In::kNothing;           // what the next list is
  In in_ = In::kNothing;
  std::vector<In> outer_;
  std::size_t skipped_ = 0;  // depth within what nobody reads
};

}  // namespace

void PhillyLog::read(TraceFile& file, const std::function<void(Job&, std::uint64_t)>& take) {
  Bytes bytes(file);
  Handler handler(bytes, take);
  Json::sax_parse(ByteIterator(&bytes), ByteIterator(), &handler);
}

}  // namespace berth
