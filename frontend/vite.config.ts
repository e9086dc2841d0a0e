import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { chunkGroups } from './vite-chunks.ts'
import { preloadedFont, productionRouter, themeStylesheet } from './vite-plugins.ts'

/** Writes `.br` and `.gz` beside every text file of a build; the server sends them as they are. */
const compressedAssets = compression({
  include: /\.(?:html|js|css|svg|json|txt)$/,
  // The size report reads them all.
  skipIfLargerOrEqual: false,
  logLevel: 'silent',
  algorithms: [
    defineAlgorithm('gzip', { level: 9 }),
    defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  ],
})

export default defineConfig({
  plugins: [productionRouter(), react(), themeStylesheet(), preloadedFont(), compressedAssets],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The size report reads from it what a screen loads.
    manifest: true,
    rolldownOptions: {
      // The first page names every chunk it may load later; `manifest.json` tells what each of them is.
      output: { chunkFileNames: 'assets/[hash].js', codeSplitting: { groups: chunkGroups() } },
      // antd's parts do not say that they are free of side effects; without this each of them brings its whole package.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/@rc-component\//, sideEffects: false }],
        // Libraries make contexts and components that we do not use, name them and read properties: none of it has an effect.
        manualPureFunctions: [
          'createContext',
          'forwardRef',
          'memo',
          'React.createContext',
          'React.forwardRef',
          'React.memo',
        ],
      },
    },
  },
})
