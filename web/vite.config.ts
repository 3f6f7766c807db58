// The page is built into the crate that serves it; paths are relative, so that it works below any prefix.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/** Writes the service worker of sites, which has to know all files of the page by their names. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  async generateBundle(_, bundle) {
    const { pathname } = new URL('src/site/service-worker.js', import.meta.url);
    const source = await this.fs.readFile(pathname, { encoding: 'utf8' });
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
    this.emitFile({
      type: 'asset',
      fileName: 'service-worker.js',
      source: `self.RETROGRADE_FILES = ${JSON.stringify(files.sort())};\n${source}`,
    });
  },
});

export default defineConfig({
  base: './',
  plugins: [svelte(), serviceWorker()],
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
