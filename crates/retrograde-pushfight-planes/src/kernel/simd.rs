//! The instruction sets that the kernels are compiled for. The best one is chosen at run time.

/// A set of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SimdLevel {
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    V3,
    /// Also with AVX-512, VBMI and GFNI: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    V4,
}

impl SimdLevel {
    pub(crate) fn best() -> SimdLevel {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            let v4 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("gfni");
            return if v4 { SimdLevel::V4 } else { SimdLevel::V3 };
        }
        SimdLevel::Portable
    }
}

/// Short rows gain nothing from longer vectors, and very long rows little; every version costs compile
/// time.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn uses_long_vectors(words: usize) -> bool {
    words == 4 || words == 8
}
