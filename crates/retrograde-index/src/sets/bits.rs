//! Collects and spreads bits, with the x86 instructions `pext` and `pdep` if the processor has them
//! and with plain code otherwise. Together with the instruction that counts bits, which programs
//! for generic x86 cannot use either, they reduce the time of a conversion to a third.
//!
//! This is the only file of the crate with unsafe code. Its invariant: a [`Bmi2`] is only created
//! if the processor has the instructions that [`run_bmi2`] is compiled for.
#![allow(unsafe_code, reason = "instructions that not every processor has; see above")]

/// Gathers and scatters bits.
pub(crate) trait Bits: Copy {
    /// Does the same as [`crate::gather`].
    fn gather(self, set: u64, universe: u64) -> u64;
    /// Does the same as [`crate::scatter`].
    fn scatter(self, bits: u64, universe: u64) -> u64;
}

/// Work that is compiled once for each kind of processor. `run` must be `#[inline(always)]` and
/// must not use closures, so that everything in it is compiled for each.
pub(crate) trait Task {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// Plain code for any processor: handles the universe in runs of neighbouring squares, because few
/// pieces leave few runs.
#[derive(Clone, Copy)]
struct Plain;

impl Bits for Plain {
    #[inline(always)]
    fn gather(self, set: u64, universe: u64) -> u64 {
        let (mut rest, mut filled, mut gathered) = (universe, 0, 0);
        while rest != 0 {
            let start = rest.trailing_zeros();
            let length = (rest >> start).trailing_ones();
            let run = u64::MAX >> (64 - length);
            gathered |= (set >> start & run) << filled;
            filled += length;
            rest &= !(run << start);
        }
        gathered
    }

    #[inline(always)]
    fn scatter(self, bits: u64, universe: u64) -> u64 {
        let (mut rest, mut taken, mut set) = (universe, 0, 0);
        while rest != 0 {
            let start = rest.trailing_zeros();
            let length = (rest >> start).trailing_ones();
            let run = u64::MAX >> (64 - length);
            set |= (bits >> taken & run) << start;
            taken += length;
            rest &= !(run << start);
        }
        set
    }
}

/// The capabilities of the processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Processor {
    #[cfg(target_arch = "x86_64")]
    bmi2: Option<Bmi2>,
}

/// Proves that the processor has BMI1, BMI2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bits for Bmi2 {
    #[inline(always)]
    fn gather(self, set: u64, universe: u64) -> u64 {
        // SAFETY: by the invariant of this file the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(set, universe) }
    }

    #[inline(always)]
    fn scatter(self, bits: u64, universe: u64) -> u64 {
        // SAFETY: the same.
        unsafe { std::arch::x86_64::_pdep_u64(bits, universe) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn run_bmi2<T: Task>(task: T, bits: Bmi2) -> T::Output {
    task.run(bits)
}

impl Processor {
    /// Detects the capabilities of the processor.
    #[inline]
    pub fn detect() -> Processor {
        Processor {
            #[cfg(target_arch = "x86_64")]
            bmi2: {
                let has = is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt");
                has.then_some(Bmi2(()))
            },
        }
    }

    /// A processor without known capabilities.
    #[cfg(test)]
    pub fn plain() -> Processor {
        Processor {
            #[cfg(target_arch = "x86_64")]
            bmi2: None,
        }
    }

    /// Does the work in the fastest way that the processor supports.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = self.bmi2 {
            // SAFETY: by the invariant of this file the processor has the instructions that the
            // function is compiled for.
            return unsafe { run_bmi2(task, bmi2) };
        }
        task.run(Plain)
    }
}
