// Builds the standalone page as one script and one style sheet; `retrograde export --format html` puts them, the module
// and a table into one file.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../crates/retrograde/page',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/standalone.ts',
      output: {
        format: 'es',
        codeSplitting: false,
        entryFileNames: 'standalone.js',
        assetFileNames: 'standalone[extname]',
      },
    },
  },
});
