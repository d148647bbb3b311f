/**
 * What entries have in common, which the first version of their stored form leaves out: never to be changed, or no entry of
 * that version could be read. What is most frequent stands last, where it costs least to name.
 * https://www.rfc-editor.org/rfc/rfc1950#section-2.2
 */
export const DICTIONARY_1 = Buffer.from(
  [
    '{"approval":null,"action":"start","by":"U","policy":,"reason":"not-approver"}{"crew":"","policy":}',
    '"reason":"self-approval""reason":"own""stranger""guest""unsure""deactivated""no-token""kickoff""stop""again""resend"',
    '{"approval":"1","mentioned":["U0","U0"],"number":1}{"approval":"1","mentioned":["S0"],"to":["@leads"]}',
    '{"approval":"1","outcome":"reject"}{"approval":"1","outcome":"close"}{"approval":"1","by":"U0","reason":"own"}',
    '{"approval":"1","by":"U0","policy":,"rule":"handed over","to":"U0"}{"approval":"1","by":"U0","policy":,"rule":"workspace"}',
    '{"approval":"1","proof":"evidence"}{"approval":"2","attempt":1}',
    '{"approval":"1","by":{"account":"member","by":"U0","rule":"channel"},"escalated":false,"handed_to":[],"policy":,"text":',
    '{"length":0,"sha256":},"undo_ms":10000,"verdict":"reject","votes":[{"account":"member","by":"U0","rule":"@leads"},',
    '{"account":"guest","approval":"1","by":"U0","policy":,"rule":"@","text":{"length":1,"sha256":}}',
    '{"approval":"1","channel":"C0","crew":"research","output":{"length":10,"sha256":},"policy":,"round":2,"starter":null,',
    '"task":{"id":"task-","name":null}}{"approval":"1","channel":"C0","crew":"","output":{"length":4096,"sha256":},"policy":,',
    '"round":1,"starter":"U0","task":{"id":,"name":""}}{"account":"member","approval":"1","by":"U0","policy":,"rule":"workspace",',
    '"text":null}{"approval":"1","by":{"account":"member","by":"U0","rule":"workspace"},"escalated":false,"handed_to":[],',
    '"policy":,"text":{"length":9,"sha256":},"undo_ms":0,"verdict":"approve","votes":[]}',
    '{"approval":"1","attempt":1}{"approval":"1","proof":"accepted"}',
  ].join(''),
);
