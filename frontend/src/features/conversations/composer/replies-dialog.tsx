import { zodResolver } from '@hookform/resolvers/zod'
import { newSavedReplySchema, type SavedReply } from '@parley/contracts/inbox/replies'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { explain } from '../../../lib/explain.ts'
import { InfoDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ReplyFields, repliesOptions, useDeleteReply, useSaveReply } from './replies-api.ts'
import styles from './replies-dialog.module.css'

/** The workspace's saved replies: read, written, changed and deleted. */
export function RepliesDialog({ onClose }: { onClose: () => void }) {
  const { data, isLoadingError, refetch } = useQuery(repliesOptions(''))
  const [edited, setEdited] = useState<SavedReply | 'new'>()
  const remove = useDeleteReply()
  return (
    <InfoDialog open title="Saved replies" width={560} onClose={onClose}>
      {isLoadingError && <ErrorState message="The saved replies could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isLoadingError && <SkeletonBar height="120px" />}
      {edited ? (
        <ReplyForm
          key={edited === 'new' ? 'new' : edited.id}
          reply={edited === 'new' ? undefined : edited}
          onDone={() => setEdited(undefined)}
        />
      ) : (
        data && (
          <>
            {data.length === 0 && (
              <p className={styles['none']}>
                No saved replies yet. Save text you send often, then type a slash in the composer to find it.
              </p>
            )}
            <ul className={styles['replies']}>
              {data.map((reply) => (
                <li key={reply.id}>
                  <span>
                    <b>/{reply.shortcut}</b>
                    <span dir="auto">{reply.text}</span>
                  </span>
                  <Button size="small" onClick={() => setEdited(reply)} aria-label={`Edit /${reply.shortcut}`}>
                    Edit
                  </Button>
                  <Button
                    size="small"
                    danger
                    aria-label={`Delete /${reply.shortcut}`}
                    onClick={() =>
                      remove.mutate(reply.id, {
                        onError: (error) => toast.error(explain(error, 'The reply could not be deleted.')),
                      })
                    }
                  >
                    Delete
                  </Button>
                </li>
              ))}
            </ul>
            <Button type="primary" onClick={() => setEdited('new')}>
              Add a reply
            </Button>
          </>
        )
      )}
    </InfoDialog>
  )
}

function ReplyForm({ reply, onDone }: { reply: SavedReply | undefined; onDone: () => void }) {
  const { control, handleSubmit, setError } = useForm<ReplyFields>({
    resolver: zodResolver(newSavedReplySchema),
    defaultValues: { shortcut: reply?.shortcut ?? '', text: reply?.text ?? '' },
  })
  const save = useSaveReply(reply)
  const submit = handleSubmit((fields) =>
    save.mutate(fields, {
      onSuccess: onDone,
      onError: (error) => setError('shortcut', { message: explain(error, 'The reply could not be saved.') }),
    }),
  )
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <Field control={control} name="shortcut" label="Shortcut" hint="Typed after a slash to find it.">
        {(field) => <Input {...field} prefix="/" maxLength={40} />}
      </Field>
      <Field
        control={control}
        name="text"
        label="Text"
        hint="{{name}} and {{phone}} are replaced with the contact’s details."
      >
        {(field) => <Input.TextArea {...field} dir="auto" autoSize={{ minRows: 3, maxRows: 8 }} maxLength={4096} />}
      </Field>
      <div className={styles['buttons']}>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
