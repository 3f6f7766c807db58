// Builds the page into the crate that serves it. Paths are relative, so that it works below any prefix.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/**
 * Writes the scripts of sites that are not part of the page: the script for early requests, and the service worker, which
 * needs the names of all files of the page.
 */
const siteScripts = (): Plugin => ({
  name: 'site-scripts',
  apply: 'build',
  async generateBundle(_, bundle) {
    const read = (name: string) => {
      const { pathname } = new URL(`src/site/${name}`, import.meta.url);
      return this.fs.readFile(pathname, { encoding: 'utf8' });
    };
    const source = await read('service-worker.js');
    const early = this.emitFile({ type: 'asset', name: 'early.js', source: await read('early-script.js') });
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
    if (!files.includes(this.getFileName(early))) files.push(this.getFileName(early));
    this.emitFile({
      type: 'asset',
      fileName: 'service-worker.js',
      source: `self.RETROGRADE_FILES = ${JSON.stringify(files.sort())};\n${source}`,
    });
  },
});

/** Puts stylesheets before scripts, so that on a slow line text appears before all code has arrived. */
const stylesFirst = (): Plugin => ({
  name: 'styles-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const styles = html.match(/ *<link rel="stylesheet".*\n/g) ?? [];
      const others = styles.reduce((text, style) => text.replace(style, ''), html);
      return others.replace(/ *<script type="module"/, (script) => styles.join('') + script);
    },
  },
});

export default defineConfig({
  base: './',
  plugins: [svelte(), siteScripts(), stylesFirst()],
  build: {
    outDir: '../crates/retrograde-serve/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
