import { useState } from 'react'
import { Link } from 'react-router-dom'
import { hasSignedInHint } from '../lib/auth/sign-in-hint.ts'
import { ActionLink } from '../ui/action.tsx'
import { Logo } from '../ui/logo.tsx'
import styles from './not-found.module.css'
import { paths } from './paths.ts'
import { routes } from './routes.ts'

const screens = routes.filter((route) => route.listed)

/** Any path that no screen has: says so, and offers the way back (to the dashboard for who has signed in here) and a search over the screens. */
export function Component() {
  const [query, setQuery] = useState('')
  const [isMember] = useState(hasSignedInHint)
  const wanted = query.trim().toLowerCase()
  const found = screens.filter(({ title, path }) => `${title} ${path}`.toLowerCase().includes(wanted))
  return (
    <main className={styles['page']}>
      <Link to={paths.home} className={styles['logo']}>
        <Logo />
      </Link>
      <h1 className={styles['title']}>404 Page Not Found</h1>
      <p className={styles['lead']}>
        There is nothing at this address. It may have been mistyped, or the page has moved.
      </p>
      <ActionLink to={isMember ? paths.dashboard : paths.home} primary large>
        {isMember ? 'Go to the dashboard' : 'Go home'}
      </ActionLink>
      <section className={styles['search']} aria-label="All pages">
        <label htmlFor="screen-search">Find a page</label>
        <input
          id="screen-search"
          type="search"
          value={query}
          maxLength={80}
          autoComplete="off"
          placeholder="Dashboard, contacts, settings…"
          onChange={(event) => setQuery(event.target.value)}
        />
        <ul>
          {found.map(({ path, title }) => (
            <li key={path}>
              <Link to={path}>
                <span>{title}</span>
                <span className={styles['path']}>{path}</span>
              </Link>
            </li>
          ))}
        </ul>
        <p role="status" className={styles['path']}>
          {found.length === 0 ? `No page matches “${query.trim()}”.` : ''}
        </p>
      </section>
    </main>
  )
}
