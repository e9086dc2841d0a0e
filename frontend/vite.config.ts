import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './vite-chunks.ts'
import { compressedAssets, preloadedFont, productionRouter, themeStylesheet } from './vite-plugins.ts'

export default defineConfig({
  plugins: [productionRouter(), react(), themeStylesheet(), preloadedFont(), compressedAssets()],
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
