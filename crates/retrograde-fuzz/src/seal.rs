//! Corrects the checksums of files whose bytes were changed, as an attacker could. Otherwise a
//! fuzzer would never get past the checksums.
//!
//! Written from the descriptions of the formats, not with the code that reads them. Lengths that do
//! not fit are left unchanged.

/// A little-endian number of 32 bits.
fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn put(bytes: &mut [u8], at: usize, number: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + number.len()) {
        place.copy_from_slice(number);
    }
}

/// Seals a framed file (`reachable.rgo`, `shades.rgs`). `entry` is the size of the entry that its directory has
/// for each block, which ends with the block's offset, length and checksum; `None` if blocks have no entries.
pub fn frame(bytes: &mut [u8], entry: Option<usize>) -> Option<()> {
    let described = u32_at(bytes, 12)? as usize;
    let head_end = 16_usize.checked_add(described)?;
    let head_sum = crc32c::crc32c(bytes.get(..head_end)?);
    put(bytes, head_end, &head_sum.to_le_bytes());
    let foot = bytes.len().checked_sub(32)?;
    let at = usize::try_from(u64_at(bytes, foot)?).ok()?;
    let blocks = u64_at(bytes, foot + 8)? as usize;
    let directory = bytes.get(at..foot)?.len();
    for (block, size) in
        (0..blocks).zip(entry.into_iter().cycle()).take_while(|(n, size)| (n + 1) * size <= directory)
    {
        let end = at + (block + 1) * size;
        let (offset, length) = (usize::try_from(u64_at(bytes, end - 16)?), u32_at(bytes, end - 8)? as usize);
        let range = offset.ok().and_then(|offset| Some(offset..offset.checked_add(length)?));
        if let Some(block) = range.and_then(|range| bytes.get(range)) {
            let sum = crc32c::crc32c(block);
            put(bytes, end - 4, &sum.to_le_bytes());
        }
    }
    let directory = crc32c::crc32c(bytes.get(at..foot)?);
    put(bytes, foot + 16, &directory.to_le_bytes());
    let sum = crc32c::crc32c_append(crc32c::crc32c(&head_sum.to_le_bytes()), &bytes[foot..foot + 20]);
    put(bytes, foot + 20, &sum.to_le_bytes());
    Some(())
}

/// Seals a depth file (`losses.rgp`, `wins.rgp`). The directory has the offset and checksum of each
/// page; a page has the length and checksum of each block, and follows its blocks.
pub fn depth(bytes: &mut [u8]) -> Option<()> {
    let foot = bytes.len().checked_sub(32)?;
    let at = usize::try_from(u64_at(bytes, foot)?).ok()?;
    let groups = (u64_at(bytes, foot + 8)? as usize).min(foot.checked_sub(at)? / 12);
    let page_at = |bytes: &[u8], group: usize| usize::try_from(u64_at(bytes, at + 12 * group)?).ok();
    let length = at.checked_sub(page_at(bytes, groups.checked_sub(1)?)?)?;
    let mut block = 16_usize.checked_add(u32_at(bytes, 12)? as usize)?.checked_add(4)?;
    for group in 0..groups {
        let page = page_at(bytes, group)?;
        let end = page.checked_add(length)?;
        for entry in (page..end).step_by(8) {
            let next = block.checked_add(u32_at(bytes, entry)? as usize)?;
            let sum = bytes.get(block..next).map(crc32c::crc32c);
            if let Some(sum) = sum {
                put(bytes, entry + 4, &sum.to_le_bytes());
            }
            block = next;
        }
        let sum = crc32c::crc32c(bytes.get(page..end)?);
        put(bytes, at + 12 * group + 8, &sum.to_le_bytes());
        block = end;
    }
    frame(bytes, None)
}

/// The checksum of a piece of a file of values or of a work file.
fn placed(header_sum: u32, number: u64, piece: &[u8]) -> u32 {
    let place = [&header_sum.to_le_bytes()[..], &number.to_le_bytes()].concat();
    crc32c::crc32c_append(crc32c::crc32c(&place), piece)
}

/// Seals a file of values with `blocks` blocks and the given header. Returns the seal.
pub fn values(bytes: &mut [u8], header: &[u8; 60], blocks: u64) -> Option<String> {
    put(bytes, 0, header);
    let header_sum = crc32c::crc32c(header);
    put(bytes, 60, &header_sum.to_le_bytes());
    let foot = bytes.len().checked_sub(40)?;
    let pages: Vec<usize> = (0..blocks.div_ceil(256))
        .map(|page| 12 + 8 * (blocks - 256 * page).min(256) as usize)
        .take(1 << 12)
        .collect();
    let pages_at = foot.checked_sub(pages.iter().sum())?;
    let (mut at, mut number) = (pages_at, 0);
    for (page, length) in pages.into_iter().enumerate() {
        let mut offset = usize::try_from(u64_at(bytes, at)?).ok()?;
        for entry in (at + 8..at + length - 4).step_by(8) {
            let stored = u32_at(bytes, entry)? as usize;
            let end = offset.checked_add(stored)?;
            if let Some(block) = bytes.get(offset..end) {
                let sum = placed(header_sum, number, block);
                put(bytes, entry + 4, &sum.to_le_bytes());
            }
            (offset, number) = (end, number + 1);
        }
        let sum = placed(header_sum, page as u64, &bytes[at..at + length - 4]);
        put(bytes, at + length - 4, &sum.to_le_bytes());
        at += length;
    }
    let (file, pages_sum) = (bytes.len() as u64, crc32c::crc32c(&bytes[pages_at..foot]));
    put(bytes, foot, &(pages_at as u64).to_le_bytes());
    put(bytes, foot + 8, &blocks.to_le_bytes());
    put(bytes, foot + 16, &file.to_le_bytes());
    put(bytes, foot + 24, &pages_sum.to_le_bytes());
    let seal = crc32c::crc32c_append(crc32c::crc32c(&bytes[..64]), &bytes[foot..foot + 28]);
    put(bytes, foot + 28, &seal.to_le_bytes());
    put(bytes, foot + 32, b"RGTEND\r\n");
    Some(format!("{seal:08x}"))
}

/// The text of a manifest with its last line, the checksum.
pub fn manifest(body: &str) -> Option<String> {
    let covered = format!("{},\n", body.trim_end().strip_suffix('}')?.trim_end());
    let checksum = blake3::hash(covered.as_bytes());
    Some(format!("{covered}  \"checksum\": \"{checksum}\"\n}}\n"))
}

/// Seals a small JSON file, replacing its checksum.
pub fn json(bytes: &mut Vec<u8>) -> Option<()> {
    let text = std::str::from_utf8(bytes).ok()?;
    let body = text.rfind("\"checksum\"").map_or(text, |at| &text[..at]);
    let body = body.trim_end().trim_end_matches([',', '}']);
    *bytes = manifest(&format!("{body}}}"))?.into_bytes();
    Some(())
}

/// Seals a block log, such as a work file or a shard.
pub fn block_log(bytes: &mut [u8]) -> Option<()> {
    let head = 16_usize.checked_add(u32_at(bytes, 12)? as usize)?;
    let header_sum = crc32c::crc32c(bytes.get(..head)?);
    put(bytes, head, &header_sum.to_le_bytes());
    let (mut at, mut number) = (head + 4, 0);
    while let Some(length) = u32_at(bytes, at) {
        let end = at + 4 + (length & !(1 << 31)) as usize;
        let sum = placed(header_sum, number << 1 | u64::from(length >> 31), bytes.get(at + 4..end)?);
        put(bytes, end, &sum.to_le_bytes());
        (at, number) = (end + 4, number + 1);
    }
    Some(())
}

/// Seals the log of a phase.
pub fn log(bytes: &mut [u8]) -> Option<()> {
    let seed = crc32c::crc32c(bytes.get(..44)?);
    put(bytes, 44, &seed.to_le_bytes());
    let mut at = 48_usize;
    while let Some(packed) = u32_at(bytes, at.checked_add(12)?) {
        let (from, end) = (at + 24, (at + 24).checked_add(packed as usize)?);
        if let Some(content) = bytes.get(from..end) {
            let sum = crc32c::crc32c_append(seed, content);
            put(bytes, at + 16, &sum.to_le_bytes());
        }
        let sum = crc32c::crc32c_append(seed, bytes.get(at..at + 20)?);
        put(bytes, at + 20, &sum.to_le_bytes());
        at = end;
    }
    Some(())
}

/// Seals the frame and the index of an xz file. The compressed data has separate checksums.
pub fn xz(bytes: &mut [u8]) -> Option<()> {
    put(bytes, 0, b"\xfd7zXZ\0");
    let flags = crc32fast::hash(bytes.get(6..8)?);
    put(bytes, 8, &flags.to_le_bytes());
    let foot = bytes.len().checked_sub(12)?;
    let index = (u32_at(bytes, foot + 4)? as usize).checked_add(1)?.checked_mul(4)?;
    let index_at = foot.checked_sub(index)?;
    if index >= 4 {
        let sum = crc32fast::hash(&bytes[index_at..foot - 4]);
        put(bytes, foot - 4, &sum.to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes[foot + 4..foot + 10]);
    put(bytes, foot, &sum.to_le_bytes());
    put(bytes, foot + 10, b"YZ");
    Some(())
}
