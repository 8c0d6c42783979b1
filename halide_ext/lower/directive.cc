#include "halide_ext/lower/directive.h"

#include <utility>

#include "absl/log/log.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/analyze/functions_of.h"
#include "halide_ext/analyze/regions.h"

namespace pruner {
namespace {

using Halide::Func;
using Halide::LoopLevel;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

using Funcs = std::map<std::string, Func>;

constexpr char kNotSpecialized[] = "this code is for larger outputs";

VarOrRVar ToVar(const LoopName& loop) {
  if (loop.is_rvar) return RVar(loop.name);
  return Var(loop.name);
}

std::vector<VarOrRVar> ToVars(const std::vector<LoopName>& loops) {
  std::vector<VarOrRVar> vars;
  vars.reserve(loops.size());
  for (const LoopName& loop : loops) vars.push_back(ToVar(loop));
  return vars;
}

std::string Print(const LoopName& loop) {
  return absl::StrCat(loop.is_rvar ? "RVar(\"" : "Var(\"", loop.name, "\")");
}

std::string PrintLoops(const std::vector<LoopName>& loops) {
  return absl::StrJoin(loops, ", ", [](std::string* out, const LoopName& loop) {
    out->append(Print(loop));
  });
}

TailStrategy ToHalide(Tail tail) {
  switch (tail) {
    case Tail::kGuard:
      return TailStrategy::GuardWithIf;
    case Tail::kRoundUp:
      return TailStrategy::RoundUp;
    case Tail::kShiftInwards:
      return TailStrategy::ShiftInwards;
  }
  LOG(FATAL) << "no such tail";
}

const char* Print(Tail tail) {
  switch (tail) {
    case Tail::kGuard:
      return "GuardWithIf";
    case Tail::kRoundUp:
      return "RoundUp";
    case Tail::kShiftInwards:
      return "ShiftInwards";
  }
  LOG(FATAL) << "no such tail";
}

Halide::MemoryType ToHalide(Storage storage) {
  switch (storage) {
    case Storage::kDefault:
      return Halide::MemoryType::Auto;
    case Storage::kRegister:
      return Halide::MemoryType::Register;
    case Storage::kShared:
      return Halide::MemoryType::GPUShared;
    case Storage::kStack:
      return Halide::MemoryType::Stack;
    case Storage::kHeap:
      return Halide::MemoryType::Heap;
  }
  LOG(FATAL) << "no such storage";
}

const char* Print(Storage storage) {
  switch (storage) {
    case Storage::kDefault:
      return "Auto";
    case Storage::kRegister:
      return "Register";
    case Storage::kShared:
      return "GPUShared";
    case Storage::kStack:
      return "Stack";
    case Storage::kHeap:
      return "Heap";
  }
  LOG(FATAL) << "no such storage";
}

// The definition's schedule. Func and Stage have the same methods under no
// common type; Stage(f) of a Func is its pure definition.
Halide::Stage StageOf(const Funcs& funcs, const Directive& d) {
  Func func = funcs.at(d.func);
  Halide::Stage stage =
      d.update < 0 ? Halide::Stage(func) : func.update(d.update);
  if (d.least.empty()) return stage;
  Halide::Expr condition = Halide::Internal::const_true();
  for (const LeastExtent& least : d.least) {
    const Halide::OutputImageParam output =
        Func(funcs.at(least.output)).output_buffer();
    condition = condition && output.dim(least.dimension).extent() >=
                                 static_cast<int>(least.extent);
  }
  // The same condition is the same specialization.
  return stage.specialize(condition);
}

std::string PrintStage(const Directive& d) {
  const std::string func = absl::StrCat("funcs.at(\"", d.func, "\")");
  std::string stage =
      d.update < 0 ? absl::StrCat("Stage(", func, ")")
                   : absl::StrCat("Func(", func, ").update(", d.update, ")");
  if (d.least.empty()) return stage;
  const auto print = [](std::string* out, const LeastExtent& least) {
    absl::StrAppend(out, "Func(funcs.at(\"", least.output,
                    "\")).output_buffer().dim(", least.dimension,
                    ").extent() >= ", least.extent);
  };
  return absl::StrCat(stage, ".specialize(",
                      absl::StrJoin(d.least, " && ", print), ")");
}

std::string PrintFunc(const Directive& d) {
  return absl::StrCat("Func(funcs.at(\"", d.func, "\"))");
}

std::string PrintReaders(const Directive& d) {
  if (d.readers.empty()) return "";
  return absl::StrCat(
      "std::vector<Func>{",
      absl::StrJoin(d.readers, ", ",
                    [](std::string* out, const std::string& reader) {
                      absl::StrAppend(out, "funcs.at(\"", reader, "\")");
                    }),
      "}");
}

// The loop of another Func that the directive names.
LoopLevel LevelOf(const Directive& d, const Funcs& funcs) {
  return {funcs.at(d.target),
          d.loops.empty() ? VarOrRVar(Var::outermost()) : ToVar(d.loops[0])};
}

std::string PrintLevel(const Directive& d) {
  return absl::StrCat("LoopLevel(funcs.at(\"", d.target, "\"), ",
                      d.loops.empty() ? "Var::outermost()" : Print(d.loops[0]),
                      ")");
}

// How to apply and how to print each kind, side by side. Applying may add to
// the Funcs.
struct Form {
  void (*apply)(const Directive& d, Funcs& funcs);
  std::string (*print)(const Directive& d);
};

const Form& FormOf(DirectiveKind kind) {
  // In the order of the enumerators.
  static const Form kForms[] = {
      {[](const Directive& d, Funcs& funcs) {
         Func(funcs.at(d.func)).compute_root();
       },
       [](const Directive& d) { return PrintFunc(d) + ".compute_root()"; }},
      {[](const Directive& d, Funcs& funcs) {
         Func func = funcs.at(d.func);
         const Var var(d.loops[0].name);
         const auto extent = static_cast<int>(d.factor);
         if (d.min) {
           func.bound(var, static_cast<int>(*d.min), extent);
         } else {
           func.bound_extent(var, extent);
         }
       },
       [](const Directive& d) {
         return absl::StrCat(PrintFunc(d), d.min ? ".bound(" : ".bound_extent(",
                             Print(d.loops[0]), ", ",
                             d.min ? absl::StrCat(*d.min, ", ") : "", d.factor,
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         Func(funcs.at(d.func)).compute_at(LevelOf(d, funcs));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintFunc(d), ".compute_at(", PrintLevel(d), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).split(ToVar(d.loops[0]), ToVar(d.loops[1]),
                                 ToVar(d.loops[2]), static_cast<int>(d.factor),
                                 ToHalide(d.tail));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".split(", PrintLoops(d.loops),
                             ", ", d.factor, ", TailStrategy::", Print(d.tail),
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).fuse(ToVar(d.loops[0]), ToVar(d.loops[1]),
                                ToVar(d.loops[2]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".fuse(", PrintLoops(d.loops), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).reorder(ToVars(d.loops));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".reorder({", PrintLoops(d.loops),
                             "})");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).vectorize(ToVar(d.loops[0]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".vectorize(", PrintLoops(d.loops),
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).unroll(ToVar(d.loops[0]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".unroll(", PrintLoops(d.loops),
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).parallel(ToVar(d.loops[0]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".parallel(", PrintLoops(d.loops),
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).gpu_blocks(ToVar(d.loops[0]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".gpu_blocks(", PrintLoops(d.loops),
                             ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).gpu_threads(ToVar(d.loops[0]));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".gpu_threads(",
                             PrintLoops(d.loops), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         Func(funcs.at(d.func)).store_in(ToHalide(d.storage));
       },
       [](const Directive& d) {
         return absl::StrCat(PrintFunc(d),
                             ".store_in(MemoryType::", Print(d.storage), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         std::vector<Var> order;
         for (const LoopName& loop : d.loops) order.emplace_back(loop.name);
         Func(funcs.at(d.func)).reorder_storage(order);
       },
       [](const Directive& d) {
         return absl::StrCat(PrintFunc(d), ".reorder_storage({",
                             PrintLoops(d.loops), "})");
       }},
      {[](const Directive& d, Funcs& funcs) {
         if (d.loops.empty()) {
           Func(funcs.at(d.func)).never_partition_all();
         } else {
           StageOf(funcs, d).never_partition(ToVars(d.loops));
         }
       },
       [](const Directive& d) {
         if (d.loops.empty()) return PrintFunc(d) + ".never_partition_all()";
         return absl::StrCat(PrintStage(d), ".never_partition({",
                             PrintLoops(d.loops), "})");
       }},
      {[](const Directive& d, Funcs& funcs) {
         std::vector<Func> readers;
         for (const std::string& reader : d.readers)
           readers.push_back(funcs.at(reader));
         Func func = funcs.at(d.func);
         funcs[d.new_func] = readers.empty() ? func.in() : func.in(readers);
       },
       [](const Directive& d) {
         return absl::StrCat("funcs[\"", d.new_func, "\"] = ", PrintFunc(d),
                             ".in(", PrintReaders(d), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         std::vector<std::pair<RVar, Var>> kept;
         if (!d.loops.empty())
           kept.emplace_back(d.loops[0].name, d.loops[1].name);
         funcs[d.new_func] = StageOf(funcs, d).rfactor(kept);
       },
       [](const Directive& d) {
         return absl::StrCat("funcs[\"", d.new_func, "\"] = ", PrintStage(d),
                             ".rfactor(",
                             d.loops.empty() ? "{}" : PrintLoops(d.loops), ")");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).unscheduled();
       },
       [](const Directive& d) { return PrintStage(d) + ".unscheduled()"; }},
      {[](const Directive& d, Funcs& funcs) {
         Func func = funcs.at(d.func);
         if (d.target.empty()) {
           func.store_root();
         } else {
           func.store_at(LevelOf(d, funcs));
         }
       },
       [](const Directive& d) {
         return d.target.empty() ? PrintFunc(d) + ".store_root()"
                                 : absl::StrCat(PrintFunc(d), ".store_at(",
                                                PrintLevel(d), ")");
       }},
      {[](const Directive&, Funcs&) {},
       [](const Directive& d) {
         return absl::StrCat("// ", d.target, " is streamed ahead of ", d.func,
                             " by a lowering pass of the tuner's, not here");
       }},
      {[](const Directive& d, Funcs& funcs) {
         StageOf(funcs, d).specialize_fail(kNotSpecialized);
       },
       [](const Directive& d) {
         return absl::StrCat(PrintStage(d), ".specialize_fail(\"",
                             kNotSpecialized, "\")");
       }},
  };
  return kForms[static_cast<int>(kind)];
}

}  // namespace

std::map<std::string, Func> FuncsOf(const Halide::Pipeline& pipeline) {
  std::map<std::string, Func> funcs;
  for (const auto& [name, function] : FunctionsOf(pipeline)) {
    funcs.emplace(name, Func(function));
    if (const Halide::Internal::Call* load = LoadOfInput(function))
      funcs.emplace(load->name, Func(function));
  }
  return funcs;
}

absl::StatusOr<std::map<std::string, Func>> ScheduledFuncs(
    const std::vector<Directive>& directives,
    const Halide::Pipeline& pipeline) {
  try {
    Funcs funcs = FuncsOf(pipeline);
    for (const Directive& d : directives) {
      std::vector<std::string> names = {d.func, d.target};
      names.insert(names.end(), d.readers.begin(), d.readers.end());
      for (const std::string& name : names) {
        if (!name.empty() && !funcs.contains(name)) {
          return absl::InvalidArgumentError(absl::StrCat(
              "the pipeline has no Func '", name, "' to schedule"));
        }
      }
      FormOf(d.kind).apply(d, funcs);
    }
    return funcs;
  } catch (const Halide::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("Halide refuses the schedule: ", error.what()));
  }
}

absl::Status ApplyDirectives(const std::vector<Directive>& directives,
                             const Halide::Pipeline& pipeline) {
  return ScheduledFuncs(directives, pipeline).status();
}

std::string PrintDirectives(const std::vector<Directive>& directives,
                            const std::string& name) {
  const std::string guard = absl::StrCat("PRUNER_SCHEDULE_", name, "_H");
  std::string text = absl::StrCat(
      "#ifndef ", guard, "\n#define ", guard,
      "\n\n#include <map>\n#include <string>\n#include <vector>\n\n",
      "#include \"Halide.h\"\n\n",
      "// Schedules the pipeline whose Funcs are given by name.\n",
      "inline void ", name, "(std::map<std::string, Halide::Func> funcs) {\n",
      "  using namespace Halide;\n");
  absl::StrAppend(&text, PrintDirectiveLines(directives), "}\n\n#endif  // ",
                  guard, "\n");
  return text;
}

std::string PrintDirectiveLines(const std::vector<Directive>& directives) {
  std::string text;
  for (const Directive& d : directives)
    absl::StrAppend(&text, "  ", FormOf(d.kind).print(d), ";\n");
  return text;
}

}  // namespace pruner
