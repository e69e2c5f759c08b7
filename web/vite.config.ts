import { endpoints } from '@guidon/contract/endpoints'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brandInDevelopment } from './brand-plugin.ts'
import { compressedSiblings } from './compress-plugin.ts'
import { preloadedFont } from './font-plugin.ts'
import { pageAt, proxiedPaths } from './proxied-paths.ts'

const apiUrl = process.env['API_URL'] ?? 'http://localhost:3000'
const port = Number(process.env['WEB_PORT'] ?? 5173)

/** Home needs them anyway, and so do the page of a phone and the dialogs of staff. */
const DIALOGS =
  /@mui\/material\/Dialog|\/documents\/(Question|UploadProgress|upload\/free-name)\.|\/(UploadFile|DescriptionOutlined)\./
/** Nearly every screen needs them. */
const SMALL = /\/ui\/VisuallyHidden\.|\/icons-material\/(Check|ExpandMore)\./

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    brandInDevelopment(process.env['BRAND_DIR'] ?? `${import.meta.dirname}/../brand`),
    preloadedFont('public-sans-latin-wght-normal'),
    compressedSiblings(),
  ],
  // The server replaces this with a new nonce in each page.
  html: { cspNonce: '__CSP_NONCE__' },
  server: {
    host: 'localhost',
    port,
    strictPort: true,
    // Without changeOrigin the API sees the browser's own Origin, which its allow-list checks.
    proxy: { [proxiedPaths(endpoints)]: { target: apiUrl, changeOrigin: false, bypass: pageAt } },
  },
  build: {
    sourcemap: false,
    assetsInlineLimit: 0,
    // In kB, for the first load, whose budget e2e/first-load.spec.ts checks.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Emotion imports it for a function that nothing calls.
      treeshake: { moduleSideEffects: (id) => !id.includes('/hoist-non-react-statics/') },
      output: {
        codeSplitting: {
          groups: [
            // The first load in one file, because it compresses better than several.
            { name: 'first', tags: ['$initial'] },
            // Fewer files, because the first load lists every file that a later screen needs.
            { name: 'dialogs', test: DIALOGS },
            { name: 'small', test: SMALL },
          ],
        },
      },
    },
  },
})
