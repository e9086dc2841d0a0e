import { type MappingAlgorithm, type ThemeConfig, theme } from 'antd'
import { fontFamily, mixed, type Palette, palettes, sizes, type ThemeMode } from './theme.ts'

interface Surroundings {
  mode: ThemeMode
  /** Controls get their height for fingers. */
  touch: boolean
  /** The person asked their system for less motion. */
  still: boolean
}

const statuses = { Info: 'info', Success: 'success', Warning: 'warning', Error: 'danger' } as const

/** Background and border of elements with a status: tags, notices. */
const statusGrounds = (palette: Palette) =>
  Object.fromEntries(
    Object.entries(statuses).flatMap(([status, name]) => [
      [`color${status}Bg`, mixed(palette[name], palette.surface, 0.12)],
      [`color${status}Border`, mixed(palette[name], palette.surface, 0.35)],
    ]),
  )

/** antd's algorithms mix status colours of their own from ours; this puts ours back, whose contrast is tested. */
const exactColours =
  (palette: Palette): MappingAlgorithm =>
  (seed, map) => ({
    ...(map ?? theme.defaultAlgorithm(seed)),
    colorPrimary: palette.accent,
    colorPrimaryHover: palette.accentHover,
    colorPrimaryActive: palette.accentHover,
    colorPrimaryText: palette.accent,
    colorInfo: palette.info,
    colorSuccess: palette.success,
    colorWarning: palette.warning,
    colorError: palette.danger,
    colorErrorHover: palette.danger,
    colorErrorText: palette.danger,
    colorErrorBorderHover: palette.danger,
    ...statusGrounds(palette),
  })

/** antd's theme, from our tokens alone. */
export function antdTheme({ mode, touch, still }: Surroundings): ThemeConfig {
  const palette = palettes[mode]
  // Below 16 px a phone zooms into the field.
  const fieldFont = touch ? 16 : 14
  return {
    algorithm: [mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm, exactColours(palette)],
    token: {
      colorPrimary: palette.accent,
      colorLink: palette.accent,
      colorLinkHover: palette.accentHover,
      colorInfo: palette.info,
      colorSuccess: palette.success,
      colorWarning: palette.warning,
      colorError: palette.danger,
      colorText: palette.text,
      colorTextSecondary: palette.textSecondary,
      colorTextTertiary: palette.textTertiary,
      colorTextPlaceholder: palette.textTertiary,
      colorTextDescription: palette.textSecondary,
      colorIcon: palette.textSecondary,
      colorBgLayout: palette.canvas,
      colorBgBase: palette.canvas,
      colorBgContainer: palette.surface,
      colorBgElevated: palette.raised,
      colorBgMask: palette.scrim,
      colorBorder: palette.controlEdge,
      colorBorderSecondary: palette.border,
      colorSplit: palette.border,
      boxShadowSecondary: palette.shadowFloat,
      fontFamily,
      fontSize: 14,
      borderRadius: sizes.radiusControl,
      borderRadiusLG: sizes.radiusCard,
      controlHeight: touch ? sizes.controlTouch : sizes.control,
      controlHeightLG: sizes.controlTouch,
      motion: !still,
      motionDurationFast: '0.12s',
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.18s',
    },
    components: {
      // Aligned with its title and body.
      Drawer: { footerPaddingInline: 24 },
      Button: {
        primaryColor: palette.onAccent,
        dangerColor: palette.onDanger,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        contentFontSizeLG: 14,
        borderRadiusLG: sizes.radiusControl,
      },
      Input: {
        activeShadow: `0 0 0 1px ${palette.accent}`,
        errorActiveShadow: `0 0 0 1px ${palette.danger}`,
        inputFontSize: fieldFont,
        inputFontSizeLG: fieldFont,
        borderRadiusLG: sizes.radiusControl,
      },
      // As high as the other fields: its padding is measured for a line of 22 px.
      Select: { fontSize: fieldFont, lineHeight: 22 / fieldFont, borderRadiusLG: sizes.radiusControl },
      DatePicker: { inputFontSize: fieldFont },
      InputNumber: { inputFontSize: fieldFont },
      Progress: { defaultColor: palette.accent, remainingColor: palette.borderStrong },
      Skeleton: { gradientFromColor: palette.border, gradientToColor: palette.borderStrong },
      Steps: { colorTextLightSolid: palette.onAccent },
      Tabs: {
        horizontalItemGutter: 0,
        horizontalItemPadding: touch ? '9px' : '9px 16px',
        horizontalMargin: `0 0 ${touch ? 16 : 24}px`,
        itemColor: palette.textSecondary,
        itemHoverColor: palette.text,
        itemSelectedColor: palette.text,
        itemActiveColor: palette.text,
      },
      // A pill: 22 px high with its edge.
      Tag: {
        colorBorder: palette.borderStrong,
        borderRadiusSM: 999,
        fontSizeSM: 13,
        lineHeightSM: 20 / 13,
        defaultColor: palette.text,
      },
    },
  }
}
