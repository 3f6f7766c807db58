//! A fast hash for small keys, which multiplies and folds word by word. The keys are positions, so they
//! cannot be chosen freely by an attacker. The hash is the same on every machine and in every run, so runs
//! are reproducible.

use std::hash::{BuildHasher, Hasher};

/// The hasher and its builder.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct FoldHasher(u64);

impl FoldHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.mix(word ^ 0xa076_1d64_78bd_642f);
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

impl BuildHasher for FoldHasher {
    type Hasher = FoldHasher;
    fn build_hasher(&self) -> FoldHasher {
        FoldHasher(0x51_7c_c1_b7_27_22_0a_95)
    }
}
