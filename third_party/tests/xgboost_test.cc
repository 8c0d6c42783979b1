// XGBoost through its C interface: rounds with gradients of our own, and models
// that survive as bytes.
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "xgboost/c_api.h"

namespace {

// y = 1 where the only column exceeds 0.5, by squared error.
class XgboostTest : public testing::Test {
 protected:
  XgboostTest() {
    EXPECT_EQ(XGDMatrixCreateFromMat_omp(x_.data(), x_.size(), 1, -1.0f,
                                         &matrix_, /*nthread=*/1),
              0);
    EXPECT_EQ(XGBoosterCreate(&matrix_, 1, &booster_), 0);
    for (const auto& [name, value] : {std::pair("tree_method", "hist"),
                                      {"base_score", "0"},
                                      {"max_depth", "2"},
                                      {"eta", "0.5"},
                                      {"reg_lambda", "0"}}) {
      EXPECT_EQ(XGBoosterSetParam(booster_, name, value), 0);
    }
  }
  ~XgboostTest() override {
    XGBoosterFree(booster_);
    XGDMatrixFree(matrix_);
  }

  std::vector<float> Predict(BoosterHandle booster) const {
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* result = nullptr;
    EXPECT_EQ(XGBoosterPredictFromDMatrix(
                  booster, matrix_,
                  R"({"type": 1, "training": true, "iteration_begin": 0,
                      "iteration_end": 0, "strict_shape": false})",
                  &shape, &dimensions, &result),
              0)
        << XGBGetLastError();
    return result == nullptr ? std::vector<float>()
                             : std::vector<float>(result, result + x_.size());
  }

  void Boost() {
    std::vector<float> gradients = Predict(booster_);
    for (size_t i = 0; i < x_.size(); ++i) gradients[i] -= y_[i];
    std::vector<float> hessians(x_.size(), 1.0f);
    EXPECT_EQ(XGBoosterBoostOneIter(booster_, matrix_, gradients.data(),
                                    hessians.data(), x_.size()),
              0)
        << XGBGetLastError();
  }

  const std::vector<float> x_ = {0.1f, 0.2f, 0.3f, 0.7f, 0.8f, 0.9f};
  const std::vector<float> y_ = {0, 0, 0, 1, 1, 1};
  DMatrixHandle matrix_ = nullptr;
  BoosterHandle booster_ = nullptr;
};

TEST_F(XgboostTest, LearnsFromGradientsOfOurs) {
  Boost();
  EXPECT_EQ(Predict(booster_), (std::vector<float>{0, 0, 0, 0.5f, 0.5f, 0.5f}));
  Boost();
  EXPECT_EQ(Predict(booster_),
            (std::vector<float>{0, 0, 0, 0.75f, 0.75f, 0.75f}));
}

TEST_F(XgboostTest, ModelsAreBytes) {
  Boost();
  bst_ulong length = 0;
  const char* bytes = nullptr;
  ASSERT_EQ(XGBoosterSaveModelToBuffer(booster_, R"({"format": "ubj"})",
                                       &length, &bytes),
            0)
      << XGBGetLastError();
  const std::string saved(bytes, length);
  BoosterHandle loaded = nullptr;
  ASSERT_EQ(XGBoosterCreate(nullptr, 0, &loaded), 0);
  ASSERT_EQ(XGBoosterLoadModelFromBuffer(loaded, saved.data(), saved.size()), 0)
      << XGBGetLastError();
  EXPECT_EQ(Predict(loaded), Predict(booster_));
  XGBoosterFree(loaded);
}

TEST_F(XgboostTest, ErrorsAreReturned) {
  BoosterHandle loaded = nullptr;
  ASSERT_EQ(XGBoosterCreate(nullptr, 0, &loaded), 0);
  EXPECT_NE(XGBoosterLoadModelFromBuffer(loaded, "no model", 8), 0);
  EXPECT_NE(std::string(XGBGetLastError()), "");
  XGBoosterFree(loaded);
}

}  // namespace
