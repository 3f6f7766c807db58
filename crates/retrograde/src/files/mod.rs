//! Files that commands read and write, and the folder for tables. Errors name the file.

#[cfg(feature = "games")]
pub(crate) mod boards;
pub(crate) mod cards;
pub(crate) mod records;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use retrograde_draw::{BoardStyle, Histogram, Size, Theme, plot, png};
use retrograde_explore::export::OutputFile;
pub(crate) use retrograde_explore::export::reason;
use retrograde_explore::{Plan, bytes_apart, free_disk};
use retrograde_game::{decode_text, system_reason};

use crate::program::args::number;
use crate::program::exit::BoxError;

/// Writes a file completely or not at all. Devices and pipes are written to directly.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BoxError> {
    Ok(OutputFile::create(path)?.end_with(bytes)?)
}

/// Reads the text of a file of at most `longest` bytes, or of standard input for `-`. `what`
/// describes it in errors.
pub(crate) fn read_text(what: &str, path: &str, longest: u64) -> Result<String, BoxError> {
    let mut bytes = Vec::new();
    let read = match path {
        "-" => io::stdin().take(longest + 1).read_to_end(&mut bytes),
        path => fs::File::open(path).and_then(|file| file.take(longest + 1).read_to_end(&mut bytes)),
    };
    let named = |error: io::Error| {
        let message = match path {
            "-" => format!("cannot read the {what} from standard input: {}", system_reason(&error)),
            path => format!("cannot read the {what} “{path}”: {}", reason(Path::new(path), &error)),
        };
        io::Error::new(error.kind(), message)
    };
    read.map_err(named)?;
    if bytes.len() as u64 > longest {
        return Err(format!("the {what} “{path}” is too long: at most {longest} bytes are allowed").into());
    }
    Ok(decode_text(bytes).map_err(named)?)
}

/// Draws a histogram to a file, in the format of its extension.
pub(crate) fn plot_to(histogram: &Histogram, out: &Path) -> Result<(), BoxError> {
    write_svg(plot::histogram_svg(histogram, Theme::Light, 1.0), Size::Scale(2.0), out)
}

/// Writes an SVG, or a PNG of this size if the file has that extension.
pub(crate) fn write_svg(svg: String, size: Size, out: &Path) -> Result<(), BoxError> {
    let bytes = match &*ending(out) {
        "svg" => svg.into_bytes(),
        "png" => png(&svg, size)?,
        _ => return Err(format!("“{}” must end in .svg or .png", out.display()).into()),
    };
    write_file(out, &bytes)
}

/// The extension of a file in lowercase, without the dot; may be empty.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// The width of a picture in pixels. Returns an error if `wanted` is given for an SVG.
pub(crate) fn pixels(wanted: Option<u32>, out: &Path) -> Result<u32, BoxError> {
    match wanted {
        Some(_) if ending(out) == "svg" => {
            Err("--width is only for .png and .gif; an SVG scales to any width".into())
        }
        wanted => Ok(wanted.unwrap_or(640)),
    }
}

/// The file of an optional picture, and its style.
#[derive(Args, Debug)]
pub(crate) struct PictureArgs {
    /// Write a picture (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Width of .png in pixels [default: 640]
    #[arg(long, requires = "out", value_parser = number::<u32>(0..=u32::MAX.into(), 640))]
    pub width: Option<u32>,
    /// Use a dark background
    #[arg(long, requires = "out")]
    pub dark: bool,
}

impl PictureArgs {
    pub(crate) fn style(&self) -> BoardStyle {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        BoardStyle { theme, ..BoardStyle::default() }
    }
}

/// The folder of tables, and the free space on its disk.
pub(crate) struct TableFolder {
    pub(crate) path: String,
    /// Bytes free on its disk, if the system reports them.
    pub(crate) free: Option<u64>,
}

impl TableFolder {
    /// The folder and the space left in it while a plan uses its memory.
    pub(crate) fn of(tables: &Path, plan: &Plan) -> TableFolder {
        let path = std::path::absolute(tables).unwrap_or_else(|_| tables.to_owned());
        TableFolder { path: path.display().to_string(), free: free_disk(tables, plan.memory.0) }
    }

    /// A warning if the disk has too little space for a plan.
    pub(crate) fn warning(&self, plan: &Plan) -> Option<String> {
        let need = plan.disk.0.saturating_add(plan.work.0);
        let free = u128::from(self.free?);
        (plan.fits && need > free).then(|| {
            let [need, free] = bytes_apart(need, free);
            format!(
                "this needs about {need} on the disk of “{}”, where {free} are free; use --tables for a \
                 folder on another disk.",
                self.path,
            )
        })
    }
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_reported() {
        let game = crate::registry().find("tactics", &retrograde_explore::Loader::disk()).unwrap();
        let plan = game.plan(&retrograde_explore::SolveOptions::default());
        let folder = |free| TableFolder { path: "/tables".to_owned(), free };
        assert!(folder(Some(100)).warning(&plan).unwrap().contains("100 bytes are free"));
        assert_eq!(folder(Some(1 << 40)).warning(&plan), None);
        assert_eq!(folder(None).warning(&plan), None);
    }
}
