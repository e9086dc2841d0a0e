import { createSettings } from '@parley/sample/settings'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { AccountCard } from './account-tab.tsx'

test('what is typed stays when the settings are read again; other fields follow', () => {
  const settings = createSettings()
  const show = (account: typeof settings.account) => <AccountCard account={account} onDirty={() => {}} />
  const { rerender } = render(show(settings.account), { wrapper: MemoryRouter })
  fireEvent.change(screen.getByLabelText('Account Name'), { target: { value: 'Chai Corner' } })
  rerender(show({ ...settings.account, name: 'Read anew', email: 'new@example.com' }))
  expect(screen.getByLabelText('Account Name')).toHaveProperty('value', 'Chai Corner')
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'new@example.com')
})
