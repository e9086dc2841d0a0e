import { ConfigProvider } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { antdTheme } from './antd-theme.ts'
import { useThemeMode } from './theme-mode.ts'
import { useIsMobile, useMedia } from './use-media.ts'

/** Gives antd our tokens. Everything that uses antd's controls stands inside. */
export function Controls({ children }: { children: ReactNode }) {
  const mode = useThemeMode()
  const touch = useIsMobile()
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const theme = useMemo(() => antdTheme({ mode, touch, still }), [mode, touch, still])
  return (
    <ConfigProvider theme={theme} button={{ autoInsertSpace: false }} wave={{ disabled: true }}>
      {children}
    </ConfigProvider>
  )
}
