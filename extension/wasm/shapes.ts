import { readInputObject } from "./args";
import { addPart, beginBlock, blockAt, endBlock, forgetBlocks, readResultContent, readTextContent } from "./blocks";
import { beginCopy, readCopy, readCopyMember } from "./copies";
import { ABSENT, HAS_USAGE } from "./layout";
import {
  DO_BLOCK,
  DO_BLOCK_END,
  DO_BLOCK_ID,
  DO_BLOCK_NAME,
  DO_CONTENT,
  DO_COPY,
  DO_COPY_MEMBER,
  DO_COPY_TEXT,
  DO_COUNT,
  DO_DATA,
  DO_END,
  DO_INPUT,
  DO_MESSAGE_ID,
  DO_NAME,
  DO_NOTHING,
  DO_PARENT,
  DO_PROGRESS,
  DO_RESULT,
  DO_SKIP,
  DO_TEXT,
  DO_USAGE,
  DO_UUID,
  flagsOf,
  kindOf,
  letterOf,
  nextNode,
  rootNode,
  stepOf,
  whatOf,
} from "./marks";
import { finishRecord, readData } from "./record";
import { beginRow, nameHash, put, putCount, putName, putUuid, row, setFlags, takeBack, text, word } from "./row";
import { continuations, fours, readString, removed, skipString } from "./strings";
import { skipValue } from "./values";

/** Reads a record whose shape was kept; the place behind it, or 0 with all that it did undone. */
export function readShape(from: usize): usize {
  const names = text;
  const end = followShape(from);
  if (end === 0) {
    takeBack(names);
    forgetBlocks();
    beginRow(row);
  }
  return end;
}

function followShape(from: usize): usize {
  let node = rootNode();
  let at = from;
  let parent: usize = 0;
  while (true) {
    node = nextNode(node, at);
    if (node === 0) return 0;
    at += stepOf(node);
    const what = whatOf(node);
    const number = what >> 8;
    switch (what & 0xff) {
      case DO_NOTHING:
        break;
      case DO_UUID:
        at = putUuid(at);
        break;
      case DO_PARENT:
        parent = at;
        at = skipString(at);
        break;
      case DO_NAME:
        at = putName(at, word(number));
        break;
      case DO_PROGRESS:
        if (putName(at - 10, word(8)) === 0) return 0;
        break;
      case DO_DATA:
        at = readData(at);
        break;
      case DO_MESSAGE_ID:
        at = putName(at, word(16));
        put(40, nameHash(word(16)));
        break;
      case DO_COUNT:
        at = putCount(at, number);
        break;
      case DO_USAGE:
        setFlags(HAS_USAGE);
        for (let i = 20; i < 24; i++) put(i, ABSENT);
        break;
      case DO_CONTENT:
        at = readTextContent(at);
        break;
      case DO_BLOCK:
        beginBlock();
        break;
      case DO_BLOCK_ID:
        at = putName(at, blockAt);
        store<i32>(blockAt, nameHash(blockAt), 44);
        break;
      case DO_BLOCK_NAME:
        at = putName(at, blockAt + 8);
        break;
      case DO_INPUT:
        at = readInputObject(at);
        break;
      case DO_TEXT: {
        const end = readString(at + 1);
        if (end === 0) return 0;
        addPart(at, end, removed, continuations, fours);
        at = end + 1;
        break;
      }
      case DO_RESULT:
        at = readResultContent(at, blockAt);
        break;
      case DO_BLOCK_END:
        endBlock(number);
        break;
      case DO_COPY:
        beginCopy();
        break;
      case DO_COPY_MEMBER:
        at = readCopyMember(at, number);
        break;
      case DO_COPY_TEXT:
        at = readCopy(at);
        break;
      case DO_SKIP:
        // Nothing but a number begins like one.
        if (letterOf(<u32>load<u8>(at)) !== <u32>(number >> 8)) return 0;
        at = skipValue(at, number & 0xff);
        break;
      case DO_END:
        setFlags(flagsOf(node));
        return finishRecord(kindOf(node), parent) ? at : 0;
      default:
        return 0;
    }
    if (at === 0) return 0;
  }
}
