import { type ThemeConfig, theme } from 'antd'
import { fontFamily, palettes, sizes, type ThemeMode } from './theme.ts'

interface Surroundings {
  mode: ThemeMode
  /** Controls get their height for fingers. */
  touch: boolean
  /** The person asked their system for less motion. */
  still: boolean
}

/** antd's theme, from our tokens alone. */
export function antdTheme({ mode, touch, still }: Surroundings): ThemeConfig {
  const palette = palettes[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
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
      Button: {
        primaryColor: palette.onAccent,
        colorPrimaryHover: palette.accentHover,
        colorPrimaryActive: palette.accentHover,
        dangerColor: palette.onDanger,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
      },
      Input: { activeShadow: 'none', errorActiveShadow: 'none' },
    },
  }
}
