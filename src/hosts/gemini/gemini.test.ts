import { expect, it } from 'vitest';
import { aTranscript, HOST_ENVIRONMENT } from '../../../test/support/host-environment.ts';
import { host } from './host.ts';

function heard(prompt: string): unknown {
  const event = host.decode(
    { hook_event_name: 'BeforeAgent', session_id: 's', cwd: '/shop', prompt },
    HOST_ENVIRONMENT,
  );
  return event === 'not-ours' ? event : event.event;
}

it('knows a command behind what was said when the session was resumed: Gemini CLI puts that before the prompt', () => {
  const said = '<hook_context>This is iteration 2.\n\nSay `&lt;promise&gt;DONE&lt;/promise&gt;`.</hook_context>';
  const cancel = { kind: 'command-typed', command: 'cancel-ralph', args: '' };
  expect(heard(`${said}\n\n/cancel-ralph`)).toEqual(cancel);
  // In a terminal the text of the command's own file stands in between.
  expect(heard(`${said}\n\n/cancel-ralph\n\n/cancel-ralph`)).toEqual(cancel);
  expect(heard(`/cancel-ralph\n\nThe hook of tireless answers this command, or not.\n\n/cancel-ralph`)).toEqual(cancel);
  expect(heard(`${said}\n\nWhat does /cancel-ralph do?`)).toMatchObject({
    kind: 'prompt-submitted',
    prompt: 'What does /cancel-ralph do?',
  });
});

it('takes the stop of a turn that Esc broke off for none: the agent is not sent back, and nothing is counted', () => {
  const stop = {
    hook_event_name: 'AfterAgent',
    session_id: 's',
    cwd: '/shop',
    transcript_path: '/t.jsonl',
    prompt_response: 'what was said at the stop before',
  };
  const asked = { type: 'user', content: [{ text: 'go on' }] };
  const answered = { type: 'gemini', id: 'm', content: 'yes' };
  const report = (isAnswered: boolean): unknown => {
    const transcripts = aTranscript(isAnswered ? [asked, answered] : [answered, asked]);
    const event = host.decode(stop, { ...HOST_ENVIRONMENT, transcripts });
    return event === 'not-ours' ? event : event.report;
  };
  expect(report(false)).toMatchObject({ userFirst: true });
  expect(report(true)).not.toHaveProperty('userFirst');
});
