/**
 * The look of Parley: the only place that names a colour, a size or a shadow. Stylesheets read the tokens as custom
 * properties (`themeCss`), antd as a theme config (`antd-theme.ts`).
 */
export const themeModes = ['dark', 'light'] as const
export type ThemeMode = (typeof themeModes)[number]

export interface Palette {
  readonly canvas: string
  readonly surface: string
  readonly raised: string
  readonly border: string
  readonly borderStrong: string
  /** Outline of inputs and switches: 3:1 against every background. */
  readonly controlEdge: string
  readonly text: string
  readonly textSecondary: string
  readonly textTertiary: string
  readonly accent: string
  readonly accentHover: string
  readonly onAccent: string
  readonly info: string
  readonly success: string
  readonly warning: string
  readonly danger: string
  /** A fifth hue for tags and node types. */
  readonly special: string
  readonly onDanger: string
  /** Backdrop of drawers and dialogs. */
  readonly scrim: string
  readonly shadowFloat: string
}

export const palettes: Record<ThemeMode, Palette> = {
  dark: {
    canvas: '#0b0f0e',
    surface: '#111716',
    raised: '#18201e',
    border: '#1f2a27',
    borderStrong: '#2c3a36',
    controlEdge: '#687a73',
    text: '#eaf1ee',
    textSecondary: '#9fb0aa',
    textTertiary: '#82938d',
    accent: '#25c281',
    accentHover: '#3ad394',
    onAccent: '#06120d',
    info: '#58a6ff',
    success: '#3fcf8e',
    warning: '#e3b341',
    danger: '#f0716a',
    special: '#b392f0',
    onDanger: '#1d0706',
    scrim: 'rgb(0 0 0 / 60%)',
    shadowFloat: '0 0 0 1px rgb(255 255 255 / 9%), 0 16px 40px rgb(0 0 0 / 55%)',
  },
  light: {
    canvas: '#f7f8f7',
    surface: '#ffffff',
    raised: '#ffffff',
    border: '#e6eae8',
    borderStrong: '#d3dad7',
    controlEdge: '#7f8c87',
    text: '#0f1715',
    textSecondary: '#52605b',
    textTertiary: '#66736e',
    accent: '#0b7a4b',
    accentHover: '#096540',
    onAccent: '#ffffff',
    info: '#1a63d8',
    success: '#0b7a4b',
    warning: '#9a6700',
    danger: '#cf222e',
    special: '#7442c8',
    onDanger: '#ffffff',
    scrim: 'rgb(15 23 21 / 40%)',
    shadowFloat: '0 0 0 1px rgb(15 23 21 / 6%), 0 12px 32px rgb(15 23 21 / 14%)',
  },
}

/** Pixels. The mobile breakpoint is `sizes.mobile`: below it the sidebar is a drawer and targets are 40 px. */
export const sizes = {
  space: [8, 12, 16, 24, 32],
  font: [13, 14, 16, 20, 28, 40],
  radiusControl: 6,
  radiusCard: 10,
  control: 32,
  controlTouch: 40,
  header: 56,
  content: 1280,
  mobile: 768,
} as const

export const fontFamily = "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif"

/** A colour mixed into another, both `#rrggbb`. @param share of the first, 0 to 1. */
export function mixed(colour: string, ground: string, share: number): string {
  const parts = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const grounds = parts(ground)
  const channels = parts(colour).map((value, index) => Math.round(value * share + (grounds[index] ?? 0) * (1 - share)))
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const rule = (selector: string, lines: readonly string[]) =>
  `${selector} {\n${lines.map((l) => `  ${l};`).join('\n')}\n}\n`

/** Returns every token as a stylesheet: colours under `[data-theme]` of the root element, sizes under `:root`. */
export function themeCss(): string {
  const constants = [
    ...sizes.space.map((px) => `--space-${px}: ${px}px`),
    ...sizes.font.map((px) => `--font-${px}: ${px / 16}rem`),
    `--font-family: ${fontFamily}`,
    `--radius-control: ${sizes.radiusControl}px`,
    `--radius-card: ${sizes.radiusCard}px`,
    '--radius-full: 999px',
    `--control-height: ${sizes.control}px`,
    `--header-height: ${sizes.header}px`,
    `--content-width: ${sizes.content}px`,
    '--sidebar-width: 16rem',
    '--sidebar-width-collapsed: 3rem',
    '--sidebar-width-mobile: 18rem',
    '--motion: 150ms ease-out',
  ]
  const colours = themeModes.map((mode) =>
    rule(mode === 'dark' ? ':root, :root[data-theme="dark"]' : ':root[data-theme="light"]', [
      `color-scheme: ${mode}`,
      ...Object.entries(palettes[mode]).map(([name, value]) => `--${kebab(name)}: ${value}`),
    ]),
  )
  const touch = `@media (max-width: ${sizes.mobile - 1}px) {\n:root { --control-height: ${sizes.controlTouch}px; }\n}\n`
  const still = '@media (prefers-reduced-motion: reduce) {\n:root { --motion: 0ms; }\n}\n'
  return rule(':root', constants) + colours.join('') + touch + still
}
