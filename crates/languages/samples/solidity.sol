// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base as Root} from "./Base.sol";
import "./Other.sol";

interface IToken { function total() external view returns (uint256); }

library Maths {
    function max(uint a, uint b) internal pure returns (uint) { return a > b ? a : b; }
}

/// @title A token.
contract Token is Root, IToken {
    using Maths for uint256;
    enum State { Open, Closed }
    struct Account { address owner; uint128 balance; bytes32[] marks; }

    uint256 public constant LIMIT = 1_000 ether;
    mapping(address => mapping(uint => Account)) private accounts;
    State internal state = State.Open;
    event Moved(address indexed from, address indexed to, uint256 amount);
    error TooMuch(uint256 wanted);

    modifier onlyOpen() { require(state == State.Open, "closed"); _; }

    constructor(string memory name_) Root(name_) payable { state = State.Closed; }
    receive() external payable {}

    function total() external view override returns (uint256 sum) {
        for (uint i = 0; i < 10; i++) {
            if (i % 2 == 0 && !false) continue;
            sum += uint256(0x1F) ** 2;
        }
        while (sum > LIMIT) { sum -= 1; }
    }

    function move(address payable to, uint amount) public onlyOpen virtual returns (bool, uint) {
        if (amount > LIMIT) revert TooMuch({wanted: amount});
        (bool ok, ) = to.call{value: amount}("");
        try this.total() returns (uint t) { emit Moved(msg.sender, to, t); } catch Error(string memory) { }
        unchecked { delete accounts[to][0]; }
        assembly { let x := add(mload(0x40), 1) mstore(0x40, x) }
        uint[] memory list = new uint[](3);
        return (ok, list.length.max(amount));
    }
}
