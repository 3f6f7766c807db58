//! The instructions of x86 that collect and spread bits, `pext` and `pdep`, where the processor has
//! them, and a plain way elsewhere. Together with the instruction that counts bits, which programs
//! for any x86 processor must do without as well, they are a third of the time of a conversion.
//!
//! This is the one file of the crate with unsafe code. Its invariant: a [`Bmi2`] is made only where
//! the processor has the instructions that [`run_bmi2`] is compiled for.
#![allow(unsafe_code, reason = "instructions that not every processor has; see above")]

/// Gathers and scatters bits.
pub(crate) trait Bits: Copy {
    /// As [`crate::gather`].
    fn gather(self, set: u64, universe: u64) -> u64;
    /// As [`crate::scatter`].
    fn scatter(self, bits: u64, universe: u64) -> u64;
}

/// Work to be compiled for each kind of processor. `run` is to be `#[inline(always)]` and to use no
/// closures, so that all of it is compiled anew.
pub(crate) trait Task {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn run<B: Bits>(self, bits: B) -> Self::Output;
}

/// For any processor: the universe is gone through run by run of neighbouring squares, since few
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

/// Says what the processor can do.
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
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(bits, universe) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn run_bmi2<T: Task>(task: T, bits: Bmi2) -> T::Output {
    task.run(bits)
}

impl Processor {
    /// Asks the processor.
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

    /// A processor of which nothing is known.
    #[cfg(test)]
    pub fn plain() -> Processor {
        Processor {
            #[cfg(target_arch = "x86_64")]
            bmi2: None,
        }
    }

    /// Does the work in the quickest way that the processor knows.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = self.bmi2 {
            // SAFETY: by the invariant of this file the processor has what the function is compiled
            // for.
            return unsafe { run_bmi2(task, bmi2) };
        }
        task.run(Plain)
    }
}
