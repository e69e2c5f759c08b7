import { BOX_ID } from '@guidon/contract/box-id'
import { FOLDER_MESSAGES, previewFolder } from '@guidon/contract/folders'
import { call } from '../../../api/call.ts'
import { failureText } from '../../../ui/failure-text.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { boxUrl } from '../crm-and-box-urls.ts'
import { IdPreview } from '../IdPreview.tsx'
import { useIdPreview } from '../use-id-preview.ts'
import css from './FolderPreview.module.css'

/** Which folder in Box the typed id is, before it is saved. */
export function FolderPreview(props: { userId: string; changedId: string | undefined }) {
  const preview = useIdPreview({
    ...props,
    kind: 'folder',
    complete: BOX_ID,
    load: (boxFolderId, signal) =>
      call(previewFolder, { params: { id: props.userId }, query: { boxFolderId }, signal }),
  })
  const { name, parentName, problem } = preview?.data ?? {}
  const parentText = parentName && `In the folder ${parentName}`
  const url = boxUrl('folder', preview?.id ?? null)
  return (
    <IdPreview
      loading={preview?.isLoading && 'Looking up the folder…'}
      spoken={name ? [name, parentText].filter(Boolean).join('. ') : undefined}
      problem={problem ? FOLDER_MESSAGES[problem] : failureText(preview?.error ?? null)}
    >
      {name && (
        <Paper className={css['folder']}>
          <Typography>{url ? <OutsideLink href={url}>{name}</OutsideLink> : name}</Typography>
          <Typography variant="body2" color="textSecondary">
            {parentText}
          </Typography>
        </Paper>
      )}
    </IdPreview>
  )
}
