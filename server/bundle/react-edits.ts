import { cut, type FileEdits, replace } from "./text-edits.ts";

/**
 * What the app and its packages never use of React and its scheduler. Both packages contain this code only minified;
 * the names are those of React 18.3.1.
 */
export const reactEdits: Readonly<Record<string, FileEdits>> = {
  "react/cjs/react.production.min.js": [
    cut("exports.Children=", "exports.Component="),
    replace("exports.Profiler=r;exports.PureComponent=G;", ""),
    cut("function F(){}F.prototype=", "var I=Array.isArray"),
    replace("exports.act=X;", ""),
    cut("exports.cloneElement=", "exports.createContext="),
    cut("exports.createFactory=", "exports.forwardRef="),
    replace("exports.unstable_act=X;", ""),
    cut("exports.useDebugValue=", "exports.useEffect="),
    cut("exports.useImperativeHandle=", "exports.useLayoutEffect="),
    cut("exports.useTransition=", "exports.version="),
  ],
  "scheduler/cjs/scheduler.production.min.js": [
    // Every browser that runs the script has these.
    cut(
      'if("object"===typeof performance',
      "var r=[]",
      "var l=performance;exports.unstable_now=function(){return l.now()};",
    ),
    cut(
      "var S;if(",
      "function I(a)",
      "var T=new MessageChannel,U=T.port2;T.port1.onmessage=R;function S(){U.postMessage(null)}",
    ),
    cut("exports.unstable_continueExecution=", "exports.unstable_getCurrentPriorityLevel="),
    cut("exports.unstable_getFirstCallbackNode=", "exports.unstable_requestPaint="),
    cut("exports.unstable_runWithPriority=", "exports.unstable_scheduleCallback="),
    replace(
      "exports.unstable_wrapCallback=function(a){var b=y;return function(){var c=y;y=b;try{return a.apply(this,arguments)}finally{y=c}}};",
      "",
    ),
  ],
};
