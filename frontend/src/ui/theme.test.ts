import { theme } from 'antd'
import { expect, test } from 'vitest'
import { antdTheme } from './antd-theme.ts'
import { mixed, type Palette, palettes, themeCss, themeModes } from './theme.ts'

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const backgrounds = ['canvas', 'surface', 'raised'] as const
const texts = ['text', 'textSecondary', 'textTertiary', 'accent', 'info', 'success', 'warning', 'danger'] as const

const pairs: [keyof Palette, keyof Palette, number][] = [
  ...texts.flatMap((text) => backgrounds.map((on): [keyof Palette, keyof Palette, number] => [text, on, 4.5])),
  ...backgrounds.map((on): [keyof Palette, keyof Palette, number] => ['controlEdge', on, 3]),
  ['onAccent', 'accent', 4.5],
  ['onAccent', 'accentHover', 4.5],
  ['onDanger', 'danger', 4.5],
]

for (const mode of themeModes) {
  test.each(pairs)(`${mode}: %s on %s reaches %d:1`, (front, back, least) => {
    expect(contrast(palettes[mode][front], palettes[mode][back])).toBeGreaterThanOrEqual(least)
  })
}

test.each(themeModes)('%s: words are legible on the ground of every status', (mode) => {
  const derived = theme.getDesignToken(antdTheme({ mode, touch: false, still: false }))
  for (const ground of [derived.colorInfoBg, derived.colorSuccessBg, derived.colorWarningBg, derived.colorErrorBg])
    expect(contrast(palettes[mode].text, ground)).toBeGreaterThanOrEqual(4.5)
  expect(derived.colorSuccessBg).toBe(mixed(palettes[mode].success, palettes[mode].surface, 0.12))
})

test('a mixed colour lies between both', () => {
  expect(mixed('#ff0000', '#0000ff', 0)).toBe('#0000ff')
  expect(mixed('#ff0000', '#0000ff', 1)).toBe('#ff0000')
  expect(mixed('#ffffff', '#000000', 0.5)).toBe('#808080')
})

test('the contrast formula agrees with the known extremes', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the stylesheet gives every token of both themes under its documented name', () => {
  const css = themeCss()
  for (const mode of themeModes) for (const value of Object.values(palettes[mode])) expect(css).toContain(value)
  for (const name of ['--control-edge', '--text-secondary', '--on-accent', '--shadow-float', '--space-12', '--font-40'])
    expect(css).toContain(`${name}: `)
})
