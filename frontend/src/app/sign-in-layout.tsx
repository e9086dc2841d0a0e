import { Outlet } from 'react-router-dom'
import { Link } from '../lib/navigation.ts'
import { Logo } from '../ui/logo.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { paths } from './paths.ts'
import styles from './sign-in-layout.module.css'

/** One centred card of 400 px with the logo above. */
export function Component() {
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <ThemeToggle />
      </header>
      <main className={styles['column']}>
        <Link to={paths.home} className={styles['logo']}>
          <Logo />
        </Link>
        <Outlet />
      </main>
    </div>
  )
}
