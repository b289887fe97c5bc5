#include "workloads/transforms/job_expression.hpp"

#include <muparserx/mpOprtBinShortcut.h>
#include <muparserx/mpParser.h>
#include <muparserx/mpValReader.h>

#include <array>
#include <limits>
#include <vector>

#include "sim/config/wording.hpp"
#include "sim/core/suggest.hpp"

namespace berth {
namespace {

constexpr std::size_t kLongest = 4096;

// --- the columns ---

enum Column : std::size_t {
  kGpus,
  kCpus,
  kMemory,
  kRun,
  kSubmit,
  kQueue,
  kLimit,
  kUser,
  kType,
  kState,
  kVc,
  kAccount,
  kPriority,
  kGpuModel,
  kName,
  kColumns,
};
constexpr std::array<const char*, kColumns> kNames = {
    "gpus", "cpus",  "memory_gib", "run_s",   "submit_s", "queue_s",   "limit_s", "user",
    "type", "state", "vc",         "account", "priority", "gpu_model", "name"};

bool is_text(std::size_t column) { return column >= kUser; }

double number_of(Column column, const JobTable& names, const Job& job, SimTime first) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  switch (column) {
    case kGpus:
      return names.gpus_of(job);
    case kCpus:
      return job.cpus;
    case kMemory:
      return job.memory_mib / 1024.0;
    case kRun:
      return to_seconds(job.run);
    case kSubmit:
      return to_seconds(job.submit - first);
    case kQueue:
      return job.never_started ? kUnknown : to_seconds(job.recorded_start - job.submit);
    default:
      return job.time_limit < Duration(0) ? kUnknown : to_seconds(job.time_limit);
  }
}

// A text of a job and a number that tells it from the other texts of its column.
struct TextOf {
  std::size_t id;
  std::string_view text;
};

template <class Id>
TextOf named(const NameTable<Id>& table, Id id) {
  return {index(id), table.name(id)};
}

TextOf text_of(Column column, const JobTable& names, const Job& job) {
  const JobTraits& traits = names.traits_of(job);
  const TraitNames& tables = names.trait_names();
  switch (column) {
    case kUser:
      return named(names.users(), job.user);
    case kType:
      return named(names.types(), job.type);
    case kState:
      return {static_cast<std::size_t>(job.state), name(job.state)};
    case kVc:
      return named(tables.groups, traits.vc);
    case kAccount:
      return named(tables.groups, traits.account);
    case kPriority:
      return named(tables.priorities, traits.priority);
    case kGpuModel:
      return named(tables.gpu_models, traits.gpu_model);
    default:
      return named(tables.names, traits.name);
  }
}

// --- the operators ---

bool is_number(const mup::IValue& value) {
  return value.GetType() == 'f' || value.GetType() == 'i';
}
bool is_text(const mup::IValue& value) { return value.GetType() == 's'; }
bool is_condition(const mup::IValue& value) { return value.GetType() == 'b'; }

void require(bool is_met, const char* what) {
  if (!is_met) throw mup::ParserError(what);
}

// Op: static value(a, b), which throws ParserError.
template <class Op>
class Binary final : public mup::IOprtBin {
 public:
  Binary() : mup::IOprtBin(Op::kText, Op::kPrecedence, mup::oaLEFT) {}
  void Eval(mup::ptr_val_type& out, const mup::ptr_val_type* arguments, int) override {
    *out = Op::value(*arguments[0], *arguments[1]);
  }
  const mup::char_type* GetDesc() const override { return Op::kText; }
  mup::IToken* Clone() const override { return new Binary(*this); }
};

template <class Op>
class Prefix final : public mup::IOprtInfix {
 public:
  Prefix() : mup::IOprtInfix(Op::kText, mup::prINFIX) {}
  void Eval(mup::ptr_val_type& out, const mup::ptr_val_type* arguments, int) override {
    *out = Op::value(*arguments[0]);
  }
  const mup::char_type* GetDesc() const override { return Op::kText; }
  mup::IToken* Clone() const override { return new Prefix(*this); }
};

bool are_equal(const mup::IValue& a, const mup::IValue& b) {
  if (is_number(a) && is_number(b)) return a.GetFloat() == b.GetFloat();
  if (is_text(a) && is_text(b)) return a.GetString() == b.GetString();
  require(is_condition(a) && is_condition(b), "both sides must be numbers, or both texts");
  return a.GetBool() == b.GetBool();
}

void require_numbers(const mup::IValue& a, const mup::IValue& b) {
  require(is_number(a) && is_number(b), "both sides must be numbers");
}

struct Equal {
  static constexpr const char* kText = "==";
  static constexpr int kPrecedence = mup::prRELATIONAL1;
  static bool value(const mup::IValue& a, const mup::IValue& b) { return are_equal(a, b); }
};
struct Unequal {
  static constexpr const char* kText = "!=";
  static constexpr int kPrecedence = mup::prRELATIONAL1;
  static bool value(const mup::IValue& a, const mup::IValue& b) { return !are_equal(a, b); }
};

#define BERTH_NUMERIC_OPERATOR(Name, precedence, Result, op)          \
  struct Name {                                                       \
    static constexpr const char* kText = #op;                         \
    static constexpr int kPrecedence = precedence;                    \
    static Result value(const mup::IValue& a, const mup::IValue& b) { \
      require_numbers(a, b);                                          \
      return a.GetFloat() op b.GetFloat();                            \
    }                                                                 \
  };
BERTH_NUMERIC_OPERATOR(Less, mup::prRELATIONAL2, bool, <)
BERTH_NUMERIC_OPERATOR(LessEqual, mup::prRELATIONAL2, bool, <=)
BERTH_NUMERIC_OPERATOR(Greater, mup::prRELATIONAL2, bool, >)
BERTH_NUMERIC_OPERATOR(GreaterEqual, mup::prRELATIONAL2, bool, >=)
BERTH_NUMERIC_OPERATOR(Plus, mup::prADD_SUB, double, +)
BERTH_NUMERIC_OPERATOR(Minus, mup::prADD_SUB, double, -)
BERTH_NUMERIC_OPERATOR(Times, mup::prMUL_DIV, double, *)
#undef BERTH_NUMERIC_OPERATOR

struct Over {
  static constexpr const char* kText = "/";
  static constexpr int kPrecedence = mup::prMUL_DIV;
  static double value(const mup::IValue& a, const mup::IValue& b) {
    require_numbers(a, b);
    require(b.GetFloat() != 0, "division by zero");
    return a.GetFloat() / b.GetFloat();
  }
};
// For the check of types, in which the values mean nothing.
struct OverAnything {
  static constexpr const char* kText = "/";
  static constexpr int kPrecedence = mup::prMUL_DIV;
  static double value(const mup::IValue& a, const mup::IValue& b) {
    require_numbers(a, b);
    return 1;
  }
};
// For the check of types: && and || that look at both sides.
struct AndBoth {
  static constexpr const char* kText = "&&";
  static constexpr int kPrecedence = mup::prLOGIC_AND;
  static bool value(const mup::IValue& a, const mup::IValue& b) {
    require(is_condition(a) && is_condition(b), "both sides must be true or false");
    return a.GetBool() && b.GetBool();
  }
};
struct OrBoth {
  static constexpr const char* kText = "||";
  static constexpr int kPrecedence = mup::prLOGIC_OR;
  static bool value(const mup::IValue& a, const mup::IValue& b) {
    require(is_condition(a) && is_condition(b), "both sides must be true or false");
    return a.GetBool() || b.GetBool();
  }
};
struct Not {
  static constexpr const char* kText = "!";
  static bool value(const mup::IValue& a) {
    require(is_condition(a), "it turns true into false and back, and this is neither");
    return !a.GetBool();
  }
};
struct Negative {
  static constexpr const char* kText = "-";
  static double value(const mup::IValue& a) {
    require(is_number(a), "only a number has a sign");
    return -a.GetFloat();
  }
};

// 'text' or "text".
class TextReader final : public mup::IValueReader {
 public:
  bool IsValue(const mup::char_type* expression, int& at, mup::Value& value) override {
    const char quote = expression[at];
    if (quote != '\'' && quote != '"') return false;
    const std::string_view rest(expression + at + 1);
    const std::size_t length = rest.find(quote);  // there is one: see check_characters
    if (length == std::string_view::npos) return false;
    value = mup::string_type(rest.substr(0, length));
    at += static_cast<int>(length) + 2;
    return true;
  }
  mup::IValueReader* Clone(mup::TokenReader* parent) const override {
    auto copy = std::make_unique<TextReader>(*this);
    copy->SetParent(parent);
    return copy.release();
  }
};

template <class Op>
void define_binary(mup::ParserX& parser) {
  parser.DefineOprt(mup::TokenPtr<mup::IOprtBin>(new Binary<Op>));
}
template <class Op>
void define_prefix(mup::ParserX& parser) {
  parser.DefineInfixOprt(mup::TokenPtr<mup::IOprtInfix>(new Prefix<Op>));
}

enum class Purpose { kCheck, kRun };

// Nothing but what is named here: muparserX's own packages have assignments, arrays and more.
void define_operators(mup::ParserX& parser, Purpose purpose) {
  parser.AddValueReader(new TextReader);
  parser.AddValueReader(new mup::DblValReader);
  parser.AddValueReader(new mup::BoolValReader);
  define_binary<Equal>(parser);
  define_binary<Unequal>(parser);
  define_binary<Less>(parser);
  define_binary<LessEqual>(parser);
  define_binary<Greater>(parser);
  define_binary<GreaterEqual>(parser);
  define_binary<Plus>(parser);
  define_binary<Minus>(parser);
  define_binary<Times>(parser);
  define_prefix<Not>(parser);
  define_prefix<Negative>(parser);
  if (purpose == Purpose::kCheck) {
    define_binary<OverAnything>(parser);
    define_binary<AndBoth>(parser);
    define_binary<OrBoth>(parser);
    return;
  }
  define_binary<Over>(parser);
  using Shortcut = mup::TokenPtr<mup::IOprtBinShortcut>;
  parser.DefineOprt(Shortcut(new mup::OprtShortcutLogicAndBegin));
  parser.DefineOprt(Shortcut(new mup::OprtShortcutLogicOrBegin));
}

// --- the text ---

[[noreturn]] void fault_at(std::size_t at, const std::string& message) {
  throw ExpressionFault(message + ", at character " + std::to_string(at + 1));
}

// Lets through only what the operators above are made of; muparserX knows more (arrays, lists,
// a?b:c, lines), which has no use here. Line ends, which YAML may leave, become blanks.
std::string checked_characters(std::string text) {
  constexpr std::string_view kMarks = "_.()+-*/<>=!&|";
  if (text.size() > kLongest) throw ExpressionFault("longer than 4096 bytes");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      const std::size_t end = text.find(c, i + 1);
      if (end == std::string::npos) fault_at(i, "the quote is not closed");
      if (text.find('\0', i) < end) fault_at(i, "a text holds a NUL");
      i = end;
    } else if (c == '\n' || c == '\t') {
      text[i] = ' ';
    } else if (c == '=' &&
               (i == 0 || std::string_view("=<>!").find(text[i - 1]) == std::string_view::npos) &&
               text.substr(i + 1, 1) != "=") {
      fault_at(i, "= assigns nothing here; write == to compare");
    } else if (c != ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') &&
               kMarks.find(c) == std::string_view::npos) {
      fault_at(i, in_quotes(std::string_view(text).substr(i, 1)) + " has no meaning here");
    }
  }
  return text;
}

// What muparserX says, with what may have been meant.
std::string reason(const mup::ParserError& error) {
  std::string message = error.GetMsg();
  if (error.GetCode() == mup::ecUNASSIGNABLE_TOKEN) {
    const std::vector<std::string> names(kNames.begin(), kNames.end());
    const std::string near = nearest(error.GetToken(), names);
    message +=
        near.empty() ? " The columns are " + join(names) + "." : " Did you mean " + near + "?";
  }
  return printable(message, 400);
}

}  // namespace

struct JobExpression::Parser {
  explicit Parser(Purpose purpose) : mup_parser(0) {
    define_operators(mup_parser, purpose);
    for (std::size_t i = 0; i < kColumns; ++i) {
      values[i] = is_text(i) ? mup::Value(mup::string_type()) : mup::Value(mup::float_type(1));
      ids[i] = static_cast<std::size_t>(-1);
      mup_parser.DefineVar(kNames[i], mup::Variable(&values[i]));
    }
  }

  void set(Column column, const JobTable& names, const Job& job, SimTime first) {
    if (!is_text(column)) {
      values[column] = number_of(column, names, job, first);
      return;
    }
    // Copied only where it differs from the last job's.
    const TextOf text = text_of(column, names, job);
    if (text.id == ids[column]) return;
    values[column] = mup::string_type(text.text);
    ids[column] = text.id;
  }

  std::array<mup::Value, kColumns> values;  // the variables refer to these
  std::array<std::size_t, kColumns> ids{};
  std::vector<Column> used;
  mup::ParserX mup_parser;
};

JobExpression::JobExpression(const std::string& text) try {
  const std::string expression = checked_characters(text);
  Parser checker(Purpose::kCheck);
  checker.mup_parser.SetExpr(expression);
  if (!is_condition(checker.mup_parser.Eval())) {
    throw ExpressionFault("the result is neither true nor false; compare it with something");
  }
  parser_ = std::make_unique<Parser>(Purpose::kRun);
  parser_->mup_parser.SetExpr(expression);
  for (const auto& [name, token] : parser_->mup_parser.GetExprVar()) {
    const auto at = std::ranges::find(kNames, name);
    parser_->used.push_back(static_cast<Column>(at - kNames.begin()));
  }
} catch (const mup::ParserError& error) {
  throw ExpressionFault(reason(error));
}

JobExpression::~JobExpression() = default;

bool JobExpression::holds(const JobTable& names, const Job& job, SimTime first) try {
  for (const Column column : parser_->used) parser_->set(column, names, job, first);
  return parser_->mup_parser.Eval().GetBool();
} catch (const mup::ParserError& error) {
  throw ExpressionFault(reason(error));
}

}  // namespace berth
