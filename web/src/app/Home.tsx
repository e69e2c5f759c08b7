import type { TodoItem } from '@guidon/contract/todo'
import { useRef } from 'react'
import { Appointments } from '../features/appointments/Appointments.tsx'
import { TodoAppointment } from '../features/appointments/TodoAppointment.tsx'
import { CaseManagerCard } from '../features/case-manager/CaseManagerCard.tsx'
import { CaseManagerIntro } from '../features/case-manager/CaseManagerIntro.tsx'
import { ClaimSection } from '../features/case-progress/ClaimSection.tsx'
import { RecentActivity } from '../features/case-progress/RecentActivity.tsx'
import { TodoSection } from '../features/case-progress/TodoSection.tsx'
import { useCaseChanges } from '../features/case-progress/use-case-changes.ts'
import { useCaseLoading } from '../features/case-progress/use-case-loading.ts'
import { RequestContact } from '../features/contact/RequestContact.tsx'
import { Documents } from '../features/documents/Documents.tsx'
import { TodoDocument } from '../features/documents/TodoDocument.tsx'
import { useUploadsState } from '../features/documents/upload/uploads.ts'
import { HomePage } from '../features/home/HomePage.tsx'
import { SentIntakeCard } from '../features/intake/SentIntakeCard.tsx'
import { TodoIntakeButton, TodoIntakeText } from '../features/intake/TodoIntake.tsx'
import { useIntakeProgress } from '../features/intake/use-intake-progress.ts'
import { ownFileButtons } from './own-file-buttons.tsx'
import { useRefreshAfterUploads } from './use-refresh-after-uploads.ts'

export function Home() {
  const appointments = useRef<HTMLHeadingElement>(null)
  const documents = useRef<HTMLHeadingElement>(null)
  const { done } = useIntakeProgress()
  const freezeList = useUploadsState(({ dialog, choosing }) => dialog !== 'closed' || choosing)
  useRefreshAfterUploads()
  const { hasUnfinishedUploads } = useCaseChanges()
  const firstLoading = useCaseLoading()

  function actionOf({ kind, id, subject }: TodoItem) {
    if (kind === 'intake') return <TodoIntakeButton />
    if (kind === 'appointment')
      return <TodoAppointment clinic={subject} onRead={() => appointments.current?.focus()} />
    return (
      <TodoDocument
        id={id}
        name={subject ?? 'the document'}
        onShowList={() => documents.current?.focus()}
      />
    )
  }

  return (
    <HomePage
      contact={<RequestContact />}
      intro={<CaseManagerIntro />}
      firstLoading={firstLoading}
      first={
        <>
          <TodoSection
            actionOf={actionOf}
            intakeText={<TodoIntakeText />}
            intakeDone={done}
            freezeList={freezeList}
          />
          <ClaimSection intakeDone={done} />
        </>
      }
    >
      <CaseManagerCard />
      <Appointments headingRef={appointments} />
      <Documents
        headingRef={documents}
        hasUnfinished={hasUnfinishedUploads}
        fileButtons={ownFileButtons}
      />
      <SentIntakeCard />
      <RecentActivity />
    </HomePage>
  )
}
