/**
 * The look of every control, by class. The console's components, the forms of tools and the pages of the server use these
 * classes, so that a field is the same everywhere.
 */
const buttons = `
:focus-visible{outline:var(--ring-width) solid var(--ring);outline-offset:2px}
.ui-button{display:inline-flex;align-items:center;justify-content:center;gap:.375rem;max-width:100%;min-height:var(--control);padding:.1875rem .75rem;
border:1px solid var(--line-strong);border-radius:var(--r);background:var(--paper);box-shadow:var(--shadow);color:var(--text);
font:500 var(--size-sm)/1.25rem var(--sans);text-align:center;text-decoration:none;white-space:nowrap;cursor:pointer;user-select:none;
transition:background-color var(--fast) var(--ease),border-color var(--fast) var(--ease),color var(--fast) var(--ease);
&:hover{background:var(--raised)}
&:active{background:var(--pressed)}
&.primary,&.danger{border-color:transparent;background:var(--accent);color:var(--on-accent);&:is(:hover,:active){background:var(--accent-hover)}}
&.danger{background:var(--bad-fill);&:is(:hover,:active){background:var(--bad-fill-hover)}}
&.quiet{border-color:transparent;background:transparent;box-shadow:none;&:hover{background:var(--raised)}&:active{background:var(--pressed)}}
&.small{min-height:var(--control-sm);padding:.0625rem .5rem}
&.icon{min-width:var(--control);padding:0;color:var(--soft);&:hover{color:var(--text)}&.small{min-width:var(--control-sm)}}
&.wide{width:100%}
&:is(:disabled,[aria-disabled=true],[data-disabled]):not([data-pending]){border-color:var(--line);background:var(--raised);box-shadow:none;color:var(--faint);cursor:not-allowed;
&.quiet{border-color:transparent;background:transparent}}
&[data-pending]{cursor:progress;&::before{content:"";flex:none;width:.875em;height:.875em;border:2px solid;border-inline-end-color:transparent;border-radius:50%;animation:ui-turn .7s linear infinite}}
>svg{flex:none}
}
@keyframes ui-turn{to{rotate:1turn}}
@media (forced-colors:active){.ui-button.primary{border:2px solid}}
`;

const fields = `
.ui-field{display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:.3125rem;min-width:0;margin:0;padding:0;border:0}
.ui-label{display:block;float:none;margin:0;padding:0;color:var(--text);font:500 var(--size-sm)/1.25rem var(--sans)}
.ui-label.required::after{content:" *";content:" *"/"";color:var(--bad)}
.ui-required{color:var(--bad)}
.ui-help{margin:0;color:var(--soft);font-size:var(--size-xs);line-height:1.45}
.ui-error{display:flex;gap:.375rem;margin:0;color:var(--bad);font-size:var(--size-xs);line-height:1.45;
&::before{content:"!";content:"!"/"";flex:none;width:1.125em;height:1.125em;margin-top:.16em;border-radius:50%;background:var(--bad);color:var(--paper);font-size:.85em;font-weight:700;line-height:1.125;text-align:center}}
.ui-input{display:block;width:100%;min-width:0;min-height:var(--control);margin:0;padding:.25rem .625rem;border:1px solid var(--edge);border-radius:var(--r);
background:var(--paper);color:var(--text);font:400 var(--size-sm)/1.25rem var(--sans);text-align:start;transition:border-color var(--fast) var(--ease);
&::placeholder{color:var(--faint);opacity:1}
&:hover{border-color:var(--soft)}
&:is(:focus-visible,[data-focus-visible],:focus:not(button)){outline:var(--ring-width) solid var(--ring);outline-offset:-1px;border-color:var(--ring)}
&:is([aria-invalid=true],[data-invalid]){border-color:var(--bad);&:is(:focus-visible,[data-focus-visible]){outline-color:var(--bad)}}
&:is(:disabled,[data-disabled]){border-color:var(--line);background:var(--raised);color:var(--faint);cursor:not-allowed;opacity:1;-webkit-text-fill-color:currentColor}
&:is(input,textarea):read-only:not(:disabled,[type=color],[type=file]){border-color:var(--line);background:var(--raised)}
&.code{font-family:var(--mono);font-size:var(--size-xs)}
}
textarea.ui-input{padding-block:.4375rem;resize:vertical}
input.ui-input:is([type=date],[type=time],[type=datetime-local]){width:fit-content;min-width:min(13rem,100%)}
input.ui-input[type=number]{font-variant-numeric:tabular-nums}
input.ui-input[type=color]{width:var(--control);padding:.1875rem;cursor:pointer}
.ui-select{position:relative;display:block;min-width:0;
>.ui-input{appearance:none;padding-inline-end:1.875rem;text-overflow:ellipsis;cursor:pointer}
&::after{content:"";position:absolute;inset-block-start:50%;inset-inline-end:.8125rem;width:.375rem;height:.375rem;border:solid var(--soft);border-width:0 1.5px 1.5px 0;translate:0 -70%;rotate:45deg;pointer-events:none}
}
.ui-affix{display:flex;align-items:stretch;gap:.5rem;>.ui-input{flex:1}>[type=color]{flex:none}>.unit{align-self:center;color:var(--soft);font-size:var(--size-sm)}}
@media (pointer:coarse){.ui-input,.ui-input.code{font-size:1rem}}
`;

const marks = `
.ui-mark{appearance:none;display:inline-grid;flex:none;place-content:center;width:var(--mark);height:var(--mark);margin:0;border:1px solid var(--edge);border-radius:var(--r-sm);
background:var(--paper);cursor:pointer;transition:background-color var(--fast) var(--ease),border-color var(--fast) var(--ease);
&::before{content:"";width:.625rem;height:.625rem;background:var(--on-accent);clip-path:polygon(12% 50%,0 62%,40% 100%,100% 18%,87% 6%,39% 74%);scale:0}
&:hover{border-color:var(--soft)}
&:is(:checked,[data-selected]>*){border-color:var(--accent);background:var(--accent);&::before{scale:1}}
&:is(:focus-visible,[data-focus-visible]>*){outline:var(--ring-width) solid var(--ring);outline-offset:2px}
&[aria-invalid=true]{border-color:var(--bad)}
&:is(:disabled,[data-disabled]>*){border-color:var(--line-strong);background:var(--raised);cursor:not-allowed;&::before{background:var(--faint)}}
&[type=radio],&.radio{border-radius:50%;&::before{width:.375rem;height:.375rem;border-radius:50%;clip-path:none}}
}
.ui-choice{display:flex;align-items:flex-start;gap:.5rem;padding-block:.1875rem;color:var(--text);font:400 var(--size-sm)/1.25rem var(--sans);cursor:pointer;
>.ui-mark{margin-top:calc((1.25rem - var(--mark))/2)}
&:has(:disabled),&[data-disabled]{color:var(--faint);cursor:not-allowed}
}
@media (forced-colors:active){input.ui-mark{appearance:auto}}
`;

const rest = `
.ui-badge{display:inline-flex;align-items:center;gap:.25rem;padding:.0625rem .375rem;border-radius:var(--r-sm);background:var(--raised);color:var(--soft);font:500 var(--size-xs)/1.125rem var(--sans);white-space:nowrap;
&.good{background:var(--good-soft);color:var(--good)}
&.bad{background:var(--bad-soft);color:var(--bad)}
&.warn{background:var(--warn-soft);color:var(--warn)}
&.strong{background:var(--strong-soft);color:var(--strong)}
}
.ui-note{margin:0;padding:.5rem .75rem;border-radius:var(--r);background:var(--raised);color:var(--text);font-size:var(--size-sm);line-height:1.25rem;
&.bad{background:var(--bad-soft);color:var(--bad)}
&.warn{background:var(--warn-soft);color:var(--warn)}
}
.ui-drop{position:relative;display:grid;place-items:center;gap:.125rem;min-height:5.5rem;padding:.75rem;border:1px dashed var(--edge);border-radius:var(--r);background:var(--paper);color:var(--soft);font-size:var(--size-sm);line-height:1.25rem;text-align:center;align-content:center;
transition:background-color var(--fast) var(--ease),border-color var(--fast) var(--ease);
&:hover{border-color:var(--soft);background:var(--raised)}
>input[type=file]{position:absolute;inset:0;width:100%;height:100%;opacity:0;cursor:pointer;font-size:0}
&:has(:focus-visible){outline:var(--ring-width) solid var(--ring);outline-offset:-1px;border-color:var(--ring)}
&.over{border-color:var(--accent);border-style:solid;background:var(--strong-soft)}
&:has([aria-invalid=true]){border-color:var(--bad)}
>strong{color:var(--strong);font-weight:500}
}
.ui-file{display:flex;align-items:center;gap:.75rem;min-height:3rem;margin:0;padding:.5rem .5rem .5rem .75rem;border:1px solid var(--line);border-radius:var(--r);background:var(--paper);color:var(--text);font-size:var(--size-sm);line-height:1.25rem;overflow-wrap:anywhere;
>img{flex:none;width:2.5rem;height:2.5rem;margin:0;border-radius:var(--r-sm);background:var(--raised);object-fit:cover}
>.name{flex:1;min-width:0}
}
.ui-progress{appearance:none;display:block;overflow:hidden;width:100%;height:.375rem;border:0;border-radius:99px;background:var(--raised);
&::-webkit-progress-bar{background:var(--raised)}
&::-webkit-progress-value{background:var(--accent)}
&::-moz-progress-bar{background:var(--accent)}
&:indeterminate{background:linear-gradient(90deg,var(--accent) 40%,var(--raised) 40%) 0/250% 100%;animation:ui-slide 1.2s linear infinite;&::-webkit-progress-bar{background:transparent}&::-moz-progress-bar{background:transparent}}
}
@keyframes ui-slide{from{background-position:100%}to{background-position:-67%}}
`;

/** The styles of all controls. They need `tokens`. */
export const controls = `${buttons}${fields}${marks}${rest}
@media (prefers-reduced-motion:reduce){.ui-button,.ui-button::before,.ui-progress{animation:none!important;transition:none!important}}
`;

/**
 * Lets selects open a list in the look of menus, in browsers that can. Not for frames, which would cut it off; there the
 * browser opens its own.
 */
export const pickers = `
@supports (appearance:base-select){
.ui-select>select,.ui-select>select::picker(select){appearance:base-select}
.ui-select>select::picker-icon{display:none}
.ui-select>select::picker(select){max-height:20rem;margin-block:.25rem;padding:.25rem;border:1px solid var(--line);border-radius:var(--r-lg);background:var(--overlay);box-shadow:var(--shadow-float);color:var(--text)}
.ui-select>select optgroup{padding-block-start:.25rem;color:var(--soft);font-size:var(--size-xs);font-weight:500}
.ui-select>select option{min-height:var(--control-sm);padding:.25rem .5rem;border-radius:var(--r-sm);color:var(--text);font-size:var(--size-sm);font-weight:400;line-height:1.25rem;
&:is(:hover,:focus-visible){outline:0;background:var(--raised)}
&:checked{font-weight:500}
&::checkmark{order:1;margin-inline-start:auto;color:var(--soft)}
&[data-hint]{flex-wrap:wrap;&::after{content:attr(data-hint);order:2;flex-basis:100%;color:var(--soft);font-size:var(--size-xs);font-weight:400}}
}
}
`;
