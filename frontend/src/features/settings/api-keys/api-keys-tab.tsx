import type { ApiKey, IssuedKey } from '@parley/contracts/account/api-keys'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useLast } from '../../../lib/use-last.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import { SkeletonTable } from '../../../ui/skeleton.tsx'
import { SettingsCard } from '../settings-card.tsx'
import styles from './api-keys.module.css'
import { apiKeysOptions } from './api-keys-api.ts'
import { KeyCalls } from './key-calls.tsx'
import { EditKeyDialog, NewKeyDialog } from './key-dialogs.tsx'
import { type KeyAction, KeyList } from './key-list.tsx'
import { Reference } from './reference.tsx'
import { RevokeDialog, RotateDialog } from './replace-dialogs.tsx'

type Open = { readonly kind: KeyAction; readonly key: ApiKey }

/** Keys with which programs call the public API, and how to use them. */
export function ApiKeysTab() {
  const refused = useIsRefused('api_keys:read')
  const mayWrite = !useIsRefused('api_keys:write')
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({ ...apiKeysOptions(), enabled: !refused })
  const clock = useClock(dataUpdatedAt)
  const [isNew, setNew] = useState(false)
  const [open, setOpen] = useState<Open>()
  const [issued, setIssued] = useState<IssuedKey>()
  const shown = useLast(issued)
  const isForbidden = refused || (error instanceof ApiError && error.status === 403)
  const shownFor = (kind: Open['kind']) => (open?.kind === kind ? open.key : undefined)
  const close = () => setOpen(undefined)
  if (isForbidden)
    return (
      <EmptyState
        title="You may not see API keys"
        message="Owners and admins of the workspace make and revoke them. Ask one of them for a key."
      />
    )
  return (
    <div className={styles['tab']}>
      <SettingsCard
        title="API Keys"
        badge={
          mayWrite && (
            <Button type="primary" className={styles['new'] ?? ''} onClick={() => setNew(true)}>
              Create API Key
            </Button>
          )
        }
        lead="A key lets a program of yours act in this workspace, as far as its scopes go. Anyone who has the key can use it."
      >
        {data ? (
          data.length > 0 ? (
            <KeyList keys={data} mayWrite={mayWrite} clock={clock} onOpen={(kind, key) => setOpen({ kind, key })} />
          ) : (
            <div>
              <EmptyState
                title="No API keys yet"
                message="Make one to send messages, read conversations and follow campaigns from your own programs."
              />
            </div>
          )
        ) : error && !isFetching ? (
          <ErrorState message="The API keys could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <SkeletonTable rows={2} height="56px" />
        )}
      </SettingsCard>
      <Reference />
      <NewKeyDialog open={isNew} onClose={() => setNew(false)} onIssued={setIssued} />
      <EditKeyDialog apiKey={shownFor('edit')} onClose={close} />
      <RotateDialog apiKey={shownFor('rotate')} onClose={close} onIssued={setIssued} />
      <RevokeDialog apiKey={shownFor('revoke')} onClose={close} />
      {shown && (
        <SecretDialog
          open={issued !== undefined}
          title={`Your key for ${shown.key.name}`}
          what="API key"
          secret={shown.secret}
          advice="Keep it where your program's other secrets are, not in its code."
          onClose={() => setIssued(undefined)}
        />
      )}
      <KeyCalls apiKey={shownFor('calls')} clock={clock} onClose={close} />
    </div>
  )
}
