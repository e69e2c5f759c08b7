import { useLayoutEffect, useRef } from 'react'
import { rowList } from '../../../ui/ActionRow.ts'
import { Paper } from '../../../ui/Paper.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { withClass } from '../../../ui/with-class.ts'
import { UnfinishedRow } from './UnfinishedRow.tsx'
import { useUnfinished } from './use-unfinished.ts'
import css from './UnfinishedUploads.module.css'

// Without a row it takes no gap.
const Region = withClass('div', css['region'])

const List = withClass('ul', rowList)

/** Uploads that stopped when the page was closed. Each continues once its file is chosen again. */
export function UnfinishedUploads({ inDialog = false }: { inDialog?: boolean }) {
  const { unfinished, resume, finish, uploadAnew, remove } = useUnfinished()
  const region = useRef<HTMLDivElement>(null)

  const count = unfinished.length
  /** The row whose pressed button is about to disappear, and how many rows there were. */
  const pressedRow = useRef<{ index: number; count: number }>(undefined)
  useLayoutEffect(() => {
    if (!pressedRow.current || count >= pressedRow.current.count) return
    const rows = [...region.current!.querySelectorAll('li')]
    const next = rows[pressedRow.current.index] ?? rows.at(-1)
    const container = region.current!.closest(inDialog ? '[role=dialog]' : 'section')
    const target =
      next?.querySelector('button') ?? container?.querySelector(inDialog ? 'button' : 'h2')
    target?.focus()
    pressedRow.current = undefined
  }, [count, inDialog])

  /** The button that was pressed in the row is gone once the action has succeeded. */
  async function leaveRow(index: number, action: () => Promise<void>): Promise<void> {
    pressedRow.current = { index, count }
    try {
      await action()
    } catch (error) {
      pressedRow.current = undefined
      throw error
    }
  }

  return (
    <Region ref={region}>
      {count > 0 && (
        <Paper>
          <Typography variant="h3" className={css['text']}>
            Not finished
          </Typography>
          <List aria-label="Uploads that are not finished">
            {unfinished.map((upload, index) => (
              <UnfinishedRow
                key={upload.id}
                upload={upload}
                onResume={(file) => {
                  const started = resume(upload, file)
                  if (started) pressedRow.current = { index, count }
                  return started
                }}
                onFinish={(name) => leaveRow(index, () => finish(upload, name))}
                {...(!inDialog && { onUploadAnew: (file) => void uploadAnew(upload, file) })}
                onRemove={() => leaveRow(index, () => remove(upload))}
              />
            ))}
          </List>
        </Paper>
      )}
    </Region>
  )
}
