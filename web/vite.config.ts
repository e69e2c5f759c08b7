import { endpoints } from '@guidon/contract/endpoints'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brandInDevelopment } from './brand-plugin.ts'
import { compressedSiblings } from './compress-plugin.ts'
import { preloadedFont } from './font-plugin.ts'
import { laterFiles } from './later-files-plugin.ts'
import { paletteVariables } from './palette-plugin.ts'
import { preloadedModule } from './preload-plugin.ts'
import { pageAt, proxiedPaths } from './proxied-paths.ts'

const apiUrl = process.env['API_URL'] ?? 'http://localhost:3000'
const port = Number(process.env['WEB_PORT'] ?? 5173)

/** What every part of MUI needs, and the dialog. */
const MUI =
  /@emotion\/|\/stylis\/|@mui\/(system|utils|styled-engine|private-theming)\/|@mui\/material\/(styles|utils|zero-styled|transitions|Dialog|Modal|Backdrop|Fade|Portal|Paper|Unstable_TrapFocus)\//

const SRC = `${import.meta.dirname}/src`
const APP = `${SRC}/app/App.tsx`
const modules = (...names: string[]) => names.map((name) => `${SRC}/${name}.tsx`)
const SESSION = modules('app/SessionParts')
const DASHBOARD = [...SESSION, ...modules('app/Dashboard', 'app/Home')]
const INTAKE = [...SESSION, ...modules('app/with-account', 'features/intake/GetStartedPage')]
const BEFORE_SIGN_IN = modules(
  'features/auth/SignUpPage',
  'features/auth/VerificationCodePage',
  'features/auth/ResetPasswordPage',
)

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const partsOf = new Map<string, Set<string>>()

/** Whether a module is loaded together with one of these. */
function isPartOf(roots: readonly string[], id: string, graph: Graph): boolean {
  return roots.some((root) => {
    let parts = partsOf.get(root)
    if (!parts) {
      parts = new Set([root])
      partsOf.set(root, parts)
      for (const part of parts) {
        for (const imported of graph.getModuleInfo(part)?.importedIds ?? []) parts.add(imported)
      }
    }
    return parts.has(id)
  })
}

/** Few files, because each costs a request: one for the parts that the same screens need. */
function fileOf(id: string, graph: Graph): string | null {
  if (isPartOf([APP], id, graph)) return 'app'
  if (MUI.test(id)) return 'mui'
  const isBeforeSignIn = isPartOf(BEFORE_SIGN_IN, id, graph)
  const isIntake = isPartOf(INTAKE, id, graph)
  const isDashboard = isPartOf(DASHBOARD, id, graph)
  if (isBeforeSignIn) return isIntake || isDashboard ? 'common' : 'before-sign-in'
  if (isIntake) return isDashboard ? 'session' : 'intake'
  return isDashboard ? 'dashboard' : null
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    paletteVariables(),
    brandInDevelopment(process.env['BRAND_DIR'] ?? `${import.meta.dirname}/../brand`),
    preloadedFont('public-sans-latin-wght-normal'),
    preloadedModule(APP),
    laterFiles({
      app: APP,
      staff: modules(
        'app/ManageUsers',
        'app/LinkToConfirm',
        'features/manage-users/links/LinksToConfirmPage',
      ),
      // Screens that few people open.
      rare: [`${SRC}/app/RareScreens.tsx`],
    }),
    compressedSiblings(),
  ],
  // Icons without styles that are made while the page runs.
  resolve: {
    alias: { './utils/createSvgIcon.mjs': `${import.meta.dirname}/src/ui/svg-icon.tsx` },
  },
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
    // One style sheet: all of it is 14 kB of gzip, and further files would cost each screen a request.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    // In kB, for the first load, whose budget tests/e2e/first-load.spec.ts checks.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Emotion imports it for a function that nothing calls.
      treeshake: { moduleSideEffects: (id) => !id.includes('/hoist-non-react-statics/') },
      output: {
        codeSplitting: {
          groups: [
            // The first load in two files: more would compress worse, and one would run as one long task.
            { name: 'first', tags: ['$initial'] },
            { name: fileOf },
          ],
        },
      },
    },
  },
})
