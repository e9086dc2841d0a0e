import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { type AppProcess, startApp } from './app-process.ts'
import { chromiumPath } from './chromium.ts'
import { gallery, type Shot } from './gallery.ts'
import { networkRests } from './network-rests.ts'
import { walkThroughScreens } from './screens.ts'

/** `npm run shots`: a picture of every screen in both sizes and themes, and one page that shows them all. */
const folder = fileURLToPath(new URL('../../../.parley/shots', import.meta.url))
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const themes = ['dark', 'light'] as const

const executablePath = chromiumPath(existsSync)
if (executablePath) await takeAll(executablePath)
else {
  console.error('There is no Chromium on this machine: install it, or name it in CHROMIUM_PATH.')
  process.exitCode = 1
}

async function takeAll(path: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  console.log('Starting Parley …')
  const app = await startApp()
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  const shots: Shot[] = []
  try {
    for (const theme of themes) {
      for (const size of ['desktop', 'phone'] as const) {
        shots.push(...(await takeVariant({ browser, app, theme, size })))
        console.log(`${theme}, ${size}: done`)
      }
    }
  } finally {
    await browser.close()
    await app.dispose()
  }
  const page = join(folder, 'index.html')
  writeFileSync(page, gallery(shots))
  console.log(`${shots.length} pictures; look at ${page}`)
}

interface Variant {
  readonly browser: Browser
  readonly app: AppProcess
  readonly theme: (typeof themes)[number]
  readonly size: keyof typeof sizes
}

async function takeVariant({ browser, app, theme, size }: Variant): Promise<Shot[]> {
  const context = await browser.newContext({
    baseURL: app.urls.app,
    viewport: sizes[size],
    locale: 'en-GB',
    // The app follows its own switch, the provider's pages follow the system.
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: size === 'phone',
  })
  await context.addInitScript((value) => localStorage.setItem('theme', value), theme)
  const page = await context.newPage()
  const shots: Shot[] = []
  const take = async (screen: string, part = 'view') => {
    await settle(page)
    // A window as high as the page, so that what sticks to an edge of the window lies where the page ends.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    if (part === 'page') await page.setViewportSize({ ...sizes[size], height: Math.max(height, sizes[size].height) })
    const file = `${screen.replaceAll(/\W+/g, '-')}-${size}-${theme}.png`
    await page.screenshot({ path: join(folder, file) })
    await page.setViewportSize(sizes[size])
    shots.push({ screen, variant: `${theme}, ${size}`, file })
  }
  await walkThroughScreens({ page, app, take })
  await context.close()
  return shots
}

/** Resolves when nothing is loading and nothing moves. */
async function settle(page: Page): Promise<void> {
  await networkRests(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}
