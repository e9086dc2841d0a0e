import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { templateUsageOptions, useDeleteForGood, useDeleteTemplate } from './api.ts'
import styles from './template-drawer.module.css'
import { UsesList } from './uses-list.tsx'

/** Asks before a template goes, and names the campaigns that are to send it. */
export function DeleteTemplate({
  open,
  template,
  atWhatsApp,
  onClose,
}: {
  open: boolean
  template: Pick<Template, 'id' | 'name' | 'status'>
  /** True for a deletion for good, at WhatsApp too, instead of one that can be undone for 30 days. */
  atWhatsApp: boolean
  onClose: () => void
}) {
  const { id, name, status } = template
  const isForGood = atWhatsApp || status === 'draft'
  const { data: uses, isLoadingError, isFetching, refetch } = useQuery({ ...templateUsageOptions(id), enabled: open })
  const remove = useDeleteTemplate(template)
  const purge = useDeleteForGood(template)
  const isInUse = uses?.some(({ status }) => status !== 'draft') ?? false
  return (
    <ConfirmDialog
      open={open}
      title={atWhatsApp ? `Delete ${name} at WhatsApp?` : `Delete ${name}?`}
      confirmLabel={isForGood ? 'Delete for good' : 'Delete Template'}
      disabled={isInUse || (uses === undefined && !isLoadingError)}
      onConfirm={() => {
        onClose()
        if (isForGood) purge.mutate()
        else remove.mutate()
      }}
      onClose={onClose}
    >
      <div className={styles['part']}>
        {uses === undefined ? (
          isLoadingError && !isFetching ? (
            <ErrorState message="The campaigns that use it could not be loaded." onRetry={() => void refetch()} />
          ) : (
            <SkeletonBar height="48px" />
          )
        ) : (
          uses.length > 0 && (
            <>
              <p>
                {isInUse
                  ? 'It cannot be deleted because campaigns use it. First cancel the ones that are not drafts.'
                  : uses.length === 1
                    ? 'A draft would be left without its template:'
                    : 'These drafts would be left without their template:'}
              </p>
              <UsesList uses={uses} />
            </>
          )
        )}
        {!isInUse && (
          <p>
            {uses?.length === 0 && 'No campaign uses it. '}
            {status === 'draft'
              ? 'WhatsApp does not have it: this cannot be undone.'
              : atWhatsApp
                ? 'This cannot be undone. For 30 days, WhatsApp will not accept a new template with this name in this language.'
                : 'It can be restored for 30 days, and is then deleted at WhatsApp.'}
          </p>
        )}
      </div>
    </ConfirmDialog>
  )
}
