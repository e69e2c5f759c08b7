import type { Plugin } from 'vite'

/** Lets the browser fetch the font in parallel with the style sheet. */
export function preloadedFont(name: string): Plugin {
  return {
    name: 'guidon:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((key) => key.includes(name) && key.endsWith('.woff2'))
        if (file === undefined) throw new Error(`The build has no font ${name}`)
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
