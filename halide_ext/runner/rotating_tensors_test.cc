#include "halide_ext/runner/rotating_tensors.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;

// Of 1000 floats each: input, weights, output.
struct Tensors {
  Tensors() {
    for (int i = 0; i < 3; ++i) {
      arguments.push_back(
          {.name = std::string(1, "iwo"[i]), .shape = {1000}, .min = {0}});
      memory.emplace_back(1024, static_cast<float>(i));
    }
    for (int i = 0; i < 3; ++i) {
      // Aligned as kernels expect it.
      auto* data = memory[i].data();
      while (reinterpret_cast<uintptr_t>(data) % 64 != 0) ++data;
      tensors.emplace_back(arguments[i], data);
    }
    for (KernelTensor& tensor : tensors) pointers.push_back(&tensor);
  }

  std::vector<KernelArgument> arguments;
  std::vector<std::vector<float>> memory;
  std::vector<KernelTensor> tensors;
  RotatingTensors Rotating(const std::vector<bool>& is_constant,
                           int64_t bytes) {
    auto rotating = RotatingTensors::Create(arguments, pointers, is_constant,
                                            bytes, copies);
    EXPECT_THAT(rotating, IsOk());
    return *std::move(rotating);
  }

  std::vector<KernelTensor*> pointers;
  HugeMemory copies;
};

constexpr bool kInput = false, kWeights = true, kOutput = false;

TEST(RotatingTensorsTest, ConstantsAreOthersInEachTurn) {
  Tensors t;
  auto rotating = t.Rotating({kInput, kWeights, kOutput}, 20000);
  EXPECT_EQ(rotating.num_copies(), 5u);  // of 4032 bytes
  std::set<void*> weights;
  std::set<KernelTensor*> others;
  for (int turn = 0; turn < 10; ++turn) {
    const auto tensors = rotating.Next();
    EXPECT_NE(tensors[0], t.pointers[0]);
    if (turn == 0) others = {tensors[0], tensors[2]};
    EXPECT_EQ(others, (std::set<KernelTensor*>{tensors[0], tensors[2]}));
    EXPECT_EQ(static_cast<const float*>(tensors[0]->host())[999], 0);
    void* const host = tensors[1]->host();
    EXPECT_EQ(weights.insert(host).second, turn < 5) << turn;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % 64, 0u);
    EXPECT_EQ(static_cast<const float*>(host)[999], 1);
  }
}

// Who reads ahead, beyond the end of a copy, must not find the next one warm.
TEST(RotatingTensorsTest, TheNextTurnIsNotTheNextInMemory) {
  Tensors t;
  auto rotating = t.Rotating({kInput, kWeights, kOutput}, 20000);
  std::vector<void*> weights;
  for (int turn = 0; turn < 5; ++turn)
    weights.push_back(rotating.Next()[1]->host());
  for (int turn = 0; turn < 5; ++turn) {
    EXPECT_NE(weights[(turn + 1) % 5],
              static_cast<char*>(weights[turn]) + 4032);
  }
}

TEST(RotatingTensorsTest, WarmTensorsStayWhereTheyAre) {
  Tensors t;
  auto rotating = t.Rotating({kInput, kWeights, kOutput}, 0);
  EXPECT_EQ(rotating.num_copies(), 1u);
  EXPECT_EQ(rotating.Next(), absl::MakeConstSpan(t.pointers));
  EXPECT_EQ(rotating.Next(), absl::MakeConstSpan(t.pointers));
}

TEST(RotatingTensorsTest, WithoutConstantsThereIsOneCopy) {
  Tensors t;
  auto rotating = t.Rotating({kInput, kInput, kOutput}, 20000);
  EXPECT_EQ(rotating.num_copies(), 1u);
  const absl::Span<KernelTensor* const> first = rotating.Next();
  EXPECT_EQ(rotating.Next(), first);
  EXPECT_NE(first[0], t.pointers[0]);
  EXPECT_EQ(static_cast<const float*>(first[1]->host())[999], 1);
}

TEST(RotatingTensorsTest, MemoryServesOneAfterTheOther) {
  Tensors t;
  t.Rotating({kInput, kWeights, kOutput}, 20000);
  void* const before = t.copies.data();
  t.memory[1].assign(1024, 7);
  auto fewer = t.Rotating({kInput, kWeights, kOutput}, 12000);
  EXPECT_EQ(t.copies.data(), before);
  EXPECT_EQ(fewer.num_copies(), 3u);
  for (size_t turn = 0; turn < fewer.num_copies(); ++turn)
    EXPECT_EQ(static_cast<const float*>(fewer.Next()[1]->host())[999], 7);
  t.Rotating({kInput, kWeights, kOutput}, 40000);
  EXPECT_GE(t.copies.bytes(), 40000u);
}

TEST(RotatingTensorsTest, OfTinyConstantsThereAreNotMillionsOfCopies) {
  Tensors t;
  auto rotating = t.Rotating({kInput, kWeights, kOutput}, int64_t{1} << 40);
  EXPECT_EQ(rotating.num_copies(), 1024u);
}

}  // namespace
}  // namespace pruner
