import type { Plugin } from 'vite'

/** Lets the browser fetch the text's font beside the style sheet instead of after it. */
export function preloadedFont(name: string): Plugin {
  return {
    name: 'guidon:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((key) => key.includes(name) && key.endsWith('.woff2'))
        if (file === undefined) throw new Error(`The build holds no font ${name}`)
        return [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: '',
            },
            injectTo: 'head',
          },
        ]
      },
    },
  }
}
