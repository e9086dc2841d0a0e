import { Link } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { setThemeMode, useThemeMode } from '../../ui/theme-mode.ts'
import { Glyph } from './glyph.tsx'
import styles from './landing-header.module.css'
import { SectionLink } from './section-link.tsx'

/** Sticky header: links within the page, and the two ways in. */
export function LandingHeader() {
  return (
    <header className={styles['header']}>
      <div className={styles['inner']}>
        <Link className={styles['home']} to="/" aria-label="Parley, top of the page">
          <Logo />
        </Link>
        <nav className={styles['nav']} aria-label="On this page">
          <SectionLink to="features">Features</SectionLink>
          <SectionLink to="pricing">Pricing</SectionLink>
          <SectionLink to="docs">Docs</SectionLink>
        </nav>
        <div className={styles['end']}>
          <div className={styles['theme']}>
            <ThemeSwitch />
          </div>
          <div className={styles['actions']}>
            <Link className={styles['signIn']} to="/login">
              Sign In
            </Link>
            <ActionLink primary to="/signup">
              Get Started
            </ActionLink>
          </div>
        </div>
      </div>
    </header>
  )
}

/** The theme toggle with the landing page's own icons. */
function ThemeSwitch() {
  const next = useThemeMode() === 'dark' ? 'light' : 'dark'
  return (
    <IconButton label={`Switch to ${next} theme`} onClick={() => setThemeMode(next)}>
      <Glyph name={next === 'light' ? 'sun' : 'moon'} />
    </IconButton>
  )
}
