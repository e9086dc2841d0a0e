import { AppLink } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { Logo } from '../../ui/logo.tsx'
import styles from './landing-header.module.css'
import { sections } from './sections.ts'

/** Sticky header: where to look on the page, and the two ways in. */
export function LandingHeader() {
  return (
    <header className={styles['header']}>
      <div className={styles['inner']}>
        <a className={styles['home']} href="#top" aria-label="Parley, top of the page">
          <Logo />
        </a>
        <nav className={styles['nav']} aria-label="On this page">
          <a href={`#${sections.features}`}>Features</a>
          <a href={`#${sections.pricing}`}>Pricing</a>
          <a href={`#${sections.docs}`}>Docs</a>
        </nav>
        <div className={styles['actions']}>
          <AppLink className={styles['signIn']} to="/login">
            Sign In
          </AppLink>
          <ActionLink primary to="/signup">
            Get Started
          </ActionLink>
        </div>
      </div>
    </header>
  )
}
