import { join } from 'node:path'
import type { Plugin } from 'vite'
import { themeCss } from './src/ui/theme.ts'

const stylesheet = join(import.meta.dirname, 'src/ui/theme.css')

/** Fills `src/ui/theme.css` with the tokens of `src/ui/theme.ts` as custom properties. */
export function themeStylesheet(): Plugin {
  return {
    name: 'parley-theme',
    load: (id) => (id === stylesheet ? themeCss() : undefined),
  }
}

/** Asks the browser for the latin cut of Inter together with the page instead of after its stylesheet. */
export function preloadedFont(): Plugin {
  return {
    name: 'parley-preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const font = Object.keys(bundle ?? {}).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        if (!font)
          throw new Error('The latin cut of Inter is not in the bundle; has the font package changed its file names?')
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

/**
 * React Router's package names its development build for bundlers whatever the mode; the production build, without its
 * warnings, lies beside it.
 */
export const productionRouter = (): Plugin => ({
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source !== 'react-router' && source !== 'react-router/dom') return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
  },
})
