import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'

const script = readFileSync('frontend/public/first-paint.js', 'utf8')
const root = document.documentElement

/** Runs the script as the page's head does. */
function firstPaint() {
  new Function(script)()
  return { theme: root.dataset['theme'], sidebar: root.dataset['sidebar'] }
}

beforeEach(() => {
  localStorage.clear()
  // biome-ignore lint/suspicious/noDocumentCookie: the test sets what the sidebar writes.
  document.cookie = 'sidebar_state=; Path=/; Max-Age=0'
})

test('without a choice it is dark and unfolded', () => {
  expect(firstPaint()).toEqual({ theme: 'dark', sidebar: 'expanded' })
})

test('the choices of the last visit are there before anything is painted', () => {
  localStorage.setItem('theme', 'light')
  // biome-ignore lint/suspicious/noDocumentCookie: the test sets what the sidebar writes.
  document.cookie = 'sidebar_state=false; Path=/'
  expect(firstPaint()).toEqual({ theme: 'light', sidebar: 'collapsed' })
})
