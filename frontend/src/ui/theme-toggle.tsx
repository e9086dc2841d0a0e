import MoonOutlined from '@ant-design/icons/MoonOutlined'
import SunOutlined from '@ant-design/icons/SunOutlined'
import { IconButton } from './icon-button.tsx'
import { setThemeMode, useThemeMode } from './theme-mode.ts'

/** Switches between dark and light; named after what it does next. */
export function ThemeToggle() {
  const next = useThemeMode() === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={`Switch to ${next} theme`} onClick={() => setThemeMode(next)}>
      {next === 'light' ? <SunOutlined aria-hidden /> : <MoonOutlined aria-hidden />}
    </IconButton>
  )
}
