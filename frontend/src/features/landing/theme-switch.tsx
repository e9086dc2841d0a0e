import { IconButton } from '../../ui/icon-button.tsx'
import { setThemeMode, useThemeMode } from '../../ui/theme-mode.ts'
import { Glyph } from './glyph.tsx'

/** The theme toggle with the landing page's own icons. */
export function ThemeSwitch() {
  const next = useThemeMode() === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={`Switch to ${next} theme`} onClick={() => setThemeMode(next)}>
      <Glyph name={next === 'light' ? 'sun' : 'moon'} />
    </IconButton>
  )
}
