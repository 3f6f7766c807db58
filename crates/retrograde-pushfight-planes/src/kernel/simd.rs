//! The instruction sets that the kernels are compiled for. The best one is chosen at run time.

#[cfg(target_arch = "x86_64")]
use crate::kernel::pext::Bmi2;
use crate::kernel::pext::{Pext, Portable};

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

/// Work that is compiled for each set of instructions; [`SimdLevel::run`] chooses one.
///
/// `run` and the functions that it calls must be inlined. Others, such as closures that are not inlined, are
/// compiled without the instructions.
pub(crate) trait Kernel {
    type Output;

    fn run(self, pext: impl Pext) -> Self::Output;
}

impl SimdLevel {
    /// Runs a kernel with the instructions of the level. Longer vectors than those of AVX2 gain little, so only
    /// floods and transposing are also compiled for AVX-512, and ask for the level themselves.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            SimdLevel::Portable => kernel.run(Portable),
            // SAFETY: the level has been seen to be there.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::V3 | SimdLevel::V4 => unsafe { run_v3(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Bmi2::new())
}
