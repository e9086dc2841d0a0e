import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useIsRefused } from '../../lib/choices/members.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { settingsOptions } from './api.ts'
import { ApiCard } from './api-card.tsx'
import { credentialsOptions } from './credentials-api.ts'
import { NotificationsTab } from './notifications-tab.tsx'
import styles from './settings.module.css'
import { type ReportDirty, useDirty } from './use-dirty.ts'
import { WebhookCard } from './webhook-card.tsx'

/** They bring every country's calling code and antd's bars, which the first tab has no need of. */
const AccountTab = lazy(async () => ({ default: (await import('./account-tab.tsx')).AccountTab }))
const TeamTab = lazy(async () => ({ default: (await import('./team/team-tab.tsx')).TeamTab }))
const ApiKeysTab = lazy(async () => ({ default: (await import('./api-keys/api-keys-tab.tsx')).ApiKeysTab }))
const ConnectionsTab = lazy(async () => ({
  default: (await import('./connections/connections-tab.tsx')).ConnectionsTab,
}))
const MacrosTab = lazy(async () => ({ default: (await import('./macros/macros-tab.tsx')).MacrosTab }))
const AuditTab = lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab }))
const BillingTab = lazy(async () => ({ default: (await import('./billing-tab.tsx')).BillingTab }))

const labels = {
  credentials: 'API Credentials',
  account: 'Account',
  notifications: 'Notifications',
  billing: 'Billing',
  team: 'Team',
  keys: 'API Keys',
  connections: 'Connections',
  macros: 'Macros',
  audit: 'Audit Log',
} as const
const keys = [
  'credentials',
  'account',
  'notifications',
  'billing',
  'team',
  'keys',
  'connections',
  'macros',
  'audit',
] as const
/** Filters of the audit log belong to its tab. */
const noAuditFilter = { actor: undefined, target: undefined, resource: undefined, outcome: undefined }
const address = { tab: z.enum(keys).optional(), plans: z.literal('1').optional() }

/** Settings: tabs, kept in the address. Those for owners and admins are hidden from others. */
export function SettingsPage() {
  const [{ tab = 'credentials', plans }, change] = useUrlState(address)
  const { data, isLoadingError, isFetching, refetch } = useQuery(settingsOptions())
  const [dirty, onDirty] = useDirty()
  const refused: Partial<Record<(typeof keys)[number], boolean>> = {
    keys: useIsRefused('api_keys:read'),
    connections: useIsRefused('workspace:write'),
    audit: useIsRefused('audit:read'),
  }
  const loading = <SkeletonBlocks count={2} height="320px" className={styles['cards']} />
  const panel = (key: (typeof keys)[number]) => {
    // It holds no text that could be lost, and asks for nothing until it is shown.
    if (key === 'keys') return tab === 'keys' && <ApiKeysTab />
    if (key === 'audit') return tab === 'audit' && <AuditTab />
    if (key === 'macros') return tab === 'macros' && <MacrosTab />
    if (key === 'connections') return tab === 'connections' && <ConnectionsTab />
    if (key === 'credentials') return <CredentialsTab onDirty={onDirty} />
    if (key === 'billing')
      return (
        <BillingTab
          plansOpen={plans === '1' && tab === 'billing'}
          onPlans={(open) => change({ plans: open ? '1' : undefined })}
          onDirty={onDirty}
        />
      )
    if (key === 'team') return <TeamTab />
    if (key === 'account') return <AccountTab onDirty={onDirty} />
    if (isLoadingError && !isFetching)
      return (
        <ErrorState
          title="The settings could not be loaded"
          message="Nothing was changed. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      )
    if (!data) return loading
    return <NotificationsTab settings={data} />
  }
  return (
    <Page description="Your WhatsApp connection, account, notifications, billing and team.">
      <Tabs
        className={styles['tabs'] ?? ''}
        activeKey={tab}
        onChange={(key) =>
          change({
            tab: keys.find((other) => other === key && other !== 'credentials'),
            plans: undefined,
            ...noAuditFilter,
          })
        }
        // Text typed in one tab stays while another is shown.
        items={keys
          .filter((key) => tab === key || !refused[key])
          .map((key) => ({
            key,
            label: labels[key],
            children: <Suspense fallback={loading}>{panel(key)}</Suspense>,
            forceRender: true,
          }))}
      />
      <LeaveWarning active={dirty} what="the settings" />
    </Page>
  )
}

/** API Credentials: how Parley reaches WhatsApp, and how WhatsApp reaches Parley. */
function CredentialsTab({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(credentialsOptions())
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The credentials could not be loaded"
        message="Your number is still connected. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={2} height="320px" className={styles['cards']} />
  return (
    <div className={styles['cards']}>
      <ApiCard credentials={data} onDirty={onDirty} />
      <WebhookCard webhook={data.webhook} />
    </div>
  )
}
