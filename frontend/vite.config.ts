import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressedAssets, preloadedFont, themeStylesheet } from './vite-plugins.ts'

/** The BFF serves the built files and every call, so the development server hands those calls on to it. */
const bff = process.env['BFF_URL'] ?? 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), themeStylesheet(), preloadedFont(), compressedAssets()],
  build: { target: 'es2022', assetsDir: 'assets', assetsInlineLimit: 0, reportCompressedSize: false },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': bff, '/auth': bff, '/v1': bff },
  },
})
