import type { Page } from '@playwright/test'
import type { AuditEntry } from './audit-entry.ts'

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

async function signUpWith(page: Page, password: string, repeated: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill('someone@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(repeated)
  await press('Sign Up')(page)
}

/** Seen without a session. */
export const signInSeed: readonly AuditEntry[] = [
  {
    what: 'Login',
    path: '/login',
    controls: [
      { role: 'button', name: /Google/ },
      { role: 'textbox', name: 'Email' },
      { role: 'textbox', name: 'Password' },
      { role: 'link', name: /forgot/i },
      { role: 'link', name: /sign up/i },
    ],
  },
  {
    what: 'Signup',
    path: '/signup',
    controls: [
      { role: 'button', name: /Google/ },
      { role: 'textbox', name: 'Email' },
      { role: 'textbox', name: 'Password' },
      { role: 'textbox', name: 'Confirm Password' },
    ],
  },
  {
    what: 'passwords that differ',
    path: '/signup',
    open: (page) => signUpWith(page, 'abc', 'abcd'),
    texts: ['Passwords do not match'],
  },
  {
    what: 'a password of less than 6 characters',
    path: '/signup',
    open: (page) => signUpWith(page, 'abc', 'abc'),
    texts: ['Password must be at least 6 characters'],
  },
  {
    what: 'a refused login; every error is titled Error',
    path: '/login',
    open: async (page) => {
      await page.getByLabel('Email', { exact: true }).fill('nobody@example.com')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await press('Log In')(page)
    },
    texts: ['Error', 'Invalid email or password'],
  },
  { what: 'Forgot password', path: '/forgot-password', controls: [{ role: 'button', name: 'Send Reset Link' }] },
  {
    what: 'Forgot password: sent',
    path: '/forgot-password',
    open: async (page) => {
      await page.getByLabel('Email', { exact: true }).fill('nobody@example.com')
      await press('Send Reset Link')(page)
    },
    texts: ['Check your email'],
    controls: [
      { role: 'button', name: /try again/i },
      { role: 'button', name: /back to login/i },
    ],
  },
]
