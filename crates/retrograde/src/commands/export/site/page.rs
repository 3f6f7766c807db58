//! The page of a site, and small files that configure hosts.

use retrograde_table::site::SITE_INDEX;

use crate::program::exit::BoxError;

/// The page itself.
pub(super) const INDEX: &str = "index.html";
/// Tells the page that it is on a site and not on a server.
const MARK: &str = "retrograde-site";
/// The prefix of the path of the script that opens a site (`web/src/site/open.ts`).
const SITE_SCRIPT: &str = "assets/open-";
/// The prefix of the path of the script that requests files before the page's scripts have loaded
/// (`web/src/site/early-script.js`).
const EARLY_SCRIPT: &str = "assets/early-";
/// The content security policy of the server, for a `meta` tag, since many hosts do not allow
/// custom headers. It does not apply to workers, so only they compile WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

/// The caching rules, for hosts that support this file: files with a digest in their path never
/// expire, the others are always revalidated.
pub(super) const HEADERS: (&str, &str) = (
    "_headers",
    "/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n\
     /tables/*\n  Cache-Control: public, max-age=31536000, immutable\n\
     /puzzles/*\n  Cache-Control: public, max-age=31536000, immutable\n\
     /ahead/*\n  Cache-Control: public, max-age=31536000, immutable\n\
     /openings/*\n  Cache-Control: public, max-age=31536000, immutable\n\
     /*.wasm.zst\n  Cache-Control: public, max-age=31536000, immutable\n\
     /\n  Cache-Control: no-cache\n\
     /index.html\n  Cache-Control: no-cache\n\
     /site.json\n  Cache-Control: no-cache\n\
     /service-worker.js\n  Cache-Control: no-cache\n",
);
/// Without this file GitHub omits names that begin with `_`.
pub(super) const NO_JEKYLL: (&str, &str) = (".nojekyll", "");

/// The files of the page: `index.html`, and all others.
pub(super) struct Page {
    pub files: Vec<(&'static str, &'static [u8])>,
    pub index: String,
}

impl Page {
    /// The server's page, marked as the page of a site with this module. Its head names the other
    /// script that every visit needs, and the module, so that both load early.
    pub(super) fn of_site(module: &str) -> Result<Page, BoxError> {
        let (index, files): (Vec<_>, Vec<_>) =
            retrograde_serve::page_files().iter().copied().partition(|&(path, _)| path == INDEX);
        let [(_, html)] = &index[..] else { return Err("the page is not part of this program".into()) };
        let html = std::str::from_utf8(html)?;
        let (before, after) = html.split_once("<head>").ok_or("the page of this program has no <head>")?;
        let script = files.iter().find(|(path, _)| path.starts_with(SITE_SCRIPT));
        let (path, script) = script.ok_or("the page of this program has no script for sites")?;
        let scripts: String = [(*path).to_owned()]
            .into_iter()
            .chain(imports(script))
            .filter(|path| !html.contains(path.as_str()))
            .map(|path| format!("\n    <link rel=\"modulepreload\" crossorigin href=\"./{path}\" />"))
            .collect();
        let early = files.iter().find(|(path, _)| path.starts_with(EARLY_SCRIPT));
        let early = early
            .map_or_else(String::new, |(path, _)| format!("\n    <script async src=\"./{path}\"></script>"));
        let mark = format!(
            "\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\" />\
             \n    <meta name=\"{MARK}\" content=\"{SITE_INDEX}\" data-module=\"{module}\" />{early}{scripts}"
        );
        Ok(Page { files, index: format!("{before}<head>{mark}{after}") })
    }
}

/// The paths of the scripts that a script imports statically.
fn imports(script: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(script);
    let after = ["from\"./", "import\"./"].into_iter().flat_map(|before| text.split(before).skip(1));
    after.filter_map(|rest| rest.split_once('"')).map(|(name, _)| format!("assets/{name}")).collect()
}

/// Whether a page belongs to a site.
pub(super) fn is_of_site(html: &str) -> bool {
    html.contains(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_site_is_the_page_of_the_server_with_a_mark() {
        let page = Page::of_site("retrograde-0123456789abcdef.wasm.zst").unwrap();
        let mark = r#"<meta name="retrograde-site" content="site.json" data-module="retrograde-0123456789abcdef.wasm.zst" />"#;
        assert!(page.index.contains(mark));
        assert!(page.index.contains(r#"<link rel="modulepreload" crossorigin href="./assets/open-"#));
        assert!(is_of_site(&page.index) && !is_of_site("<html><head></head></html>"));
        // Every file that it loads exists, below its own folder.
        for attribute in ["src=\"", "href=\""] {
            for path in page.index.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                let path = path.strip_prefix("./").unwrap_or_else(|| panic!("{path} is not relative"));
                assert!(page.files.iter().any(|(name, _)| *name == path), "{path}");
            }
        }
    }
}
