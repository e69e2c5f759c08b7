import type { Plugin } from 'vite'

/** Lets the browser fetch the code that a module imports later together with the first file. */
export function preloadedModule(path: string): Plugin {
  return {
    name: 'guidon:preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const first = chunks.find(({ moduleIds }) => moduleIds.includes(path))
        if (first === undefined) throw new Error(`The build has no chunk of ${path}`)
        const isEntry = (name: string) => chunks.some((one) => one.fileName === name && one.isEntry)
        return [first.fileName, ...first.imports]
          .filter((name) => !isEntry(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
