//! The functions that the page calls: it puts bytes into memory that it asks for, and gets bytes
//! back.
//!
//! An answer is its length in four bytes, least first, and then so many bytes of text; it stays
//! until the next call. There is one thread and one game a module, which is why they may be kept in
//! places of their own here. The `unsafe` parts take over memory that `retrograde_take` gave to the
//! page, with the length that the page was told.

use std::cell::RefCell;

use crate::Solved;

thread_local! {
    static SOLVED: RefCell<Option<Solved>> = const { RefCell::new(None) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory for so many bytes, for the page to fill.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_take(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes that the page has filled.
///
/// # Safety
/// `place` comes from [`retrograde_take`] with this length, and is given back once only.
unsafe fn given(place: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: as the caller promises, this is the boxed slice that was given away.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(place, length)) }.into_vec()
}

fn told(text: &str) -> *const u8 {
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        answer.extend((text.len() as u32).to_le_bytes());
        answer.extend(text.as_bytes());
        answer.as_ptr()
    })
}

/// Opens a table; the answer is empty, or says what is wrong.
///
/// # Safety
/// Both places come from [`retrograde_take`] with these lengths; they belong to the module from now
/// on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_open(
    manifest: *mut u8,
    manifest_length: usize,
    values: *mut u8,
    values_length: usize,
) -> *const u8 {
    // SAFETY: promised by the caller.
    let (manifest, values) = unsafe { (given(manifest, manifest_length), given(values, values_length)) };
    match Solved::open(manifest, values) {
        Ok(solved) => {
            SOLVED.set(Some(solved));
            told("")
        }
        Err(error) => told(&error),
    }
}

/// Answers a question.
///
/// # Safety
/// The place comes from [`retrograde_take`] with this length; it belongs to the module from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_ask(question: *mut u8, length: usize) -> *const u8 {
    // SAFETY: promised by the caller.
    let question = unsafe { given(question, length) };
    SOLVED.with_borrow(|solved| match solved {
        Some(solved) => told(&solved.ask(&question)),
        None => told(r#"{"status":503,"body":{"detail":"no table is open"}}"#),
    })
}
